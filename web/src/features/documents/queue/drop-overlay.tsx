import { IconUpload } from '@tabler/icons-react';
import classes from './drop-zone.module.css';

/** Shown while files are dragged over the page. */
export function DropOverlay({ customerName }: { customerName?: string | undefined }) {
  return (
    <div className={classes.overlay}>
      <div className={classes.target}>
        <IconUpload size={32} aria-hidden />
        <p className={classes.text}>
          Drop files to upload{' '}
          {customerName && (
            <>
              for <bdi>{customerName}</bdi>
            </>
          )}
        </p>
      </div>
    </div>
  );
}

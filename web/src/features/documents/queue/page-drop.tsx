import { IconUpload } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import classes from './page-drop.module.css';

/** Browsers send drag events at shorter intervals. */
const dragEventMs = 600;

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
const isDialogOpen = () => document.querySelector('[aria-modal=true]') !== null;

type PageDropProps = {
  onFiles: (files: File[]) => void;
  /** Whom the files are for, if known. */
  customerName: string | undefined;
};

/** Takes files that are dropped anywhere on the page, and covers the page while they are dragged over it. */
export function PageDrop({ onFiles, customerName }: PageDropProps) {
  const [isDragging, setIsDragging] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const drag = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event) || isDialogOpen()) return;
    event.preventDefault();
    setIsDragging(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setIsDragging(false), dragEventMs);
  });

  const drop = useEffectEvent((event: DragEvent) => {
    setIsDragging(false);
    if (!hasFiles(event) || isDialogOpen()) return;
    event.preventDefault();
    onFiles([...(event.dataTransfer?.files ?? [])]);
  });

  useEffect(() => {
    const onDrag = (event: DragEvent) => drag(event);
    const onDrop = (event: DragEvent) => drop(event);
    document.addEventListener('dragover', onDrag);
    document.addEventListener('drop', onDrop);
    return () => {
      clearTimeout(timer.current);
      document.removeEventListener('dragover', onDrag);
      document.removeEventListener('drop', onDrop);
    };
  }, []);

  if (!isDragging) return null;
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

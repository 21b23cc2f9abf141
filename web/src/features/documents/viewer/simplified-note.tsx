import { Anchor } from '@mantine/core';
import classes from './viewer.module.css';

type SimplifiedNoteProps = {
  /** The server is making the exact layout. */
  isWaiting: boolean;
  /** Once it is there. */
  onShowExact: (() => void) | undefined;
};

/** Of what is not drawn as the program that made it would. */
export function SimplifiedNote({ isWaiting, onShowExact }: SimplifiedNoteProps) {
  const hint = isWaiting ? 'the exact layout is being prepared' : 'download for the exact layout';
  return (
    <p className={classes.note} aria-live="polite">
      Simplified view;{' '}
      {onShowExact ? (
        <Anchor component="button" type="button" inherit onClick={onShowExact}>
          show the exact layout
        </Anchor>
      ) : (
        hint
      )}
    </p>
  );
}

import { useBeforeUnload, useBlocker } from 'react-router';
import { ConfirmDialog } from './confirm-dialog.tsx';

type Options = {
  shouldBlock: () => boolean;
  /** Where an expired session redirects. Like other forced redirects, it is never blocked. */
  signInPath: string;
  title: string;
  text: string;
  confirmLabel: string;
  onLeave?: () => void;
};

/** Asks before the user leaves a screen and loses something. Returns the dialog to render. */
export function useLeaveGuard({ shouldBlock, signInPath, title, text, confirmLabel, onLeave }: Options) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      shouldBlock() &&
      nextLocation.pathname !== signInPath &&
      nextLocation.pathname !== currentLocation.pathname &&
      nextLocation.state?.forced !== true,
  );
  useBeforeUnload((event) => {
    if (shouldBlock()) event.preventDefault();
  });
  return (
    <ConfirmDialog
      opened={blocker.state === 'blocked'}
      title={title}
      text={text}
      confirmLabel={confirmLabel}
      cancelLabel="Stay here"
      onCancel={() => blocker.reset?.()}
      onConfirm={() => {
        onLeave?.();
        blocker.proceed?.();
      }}
    />
  );
}

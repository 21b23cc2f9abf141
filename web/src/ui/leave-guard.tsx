import { useBeforeUnload, useBlocker } from 'react-router';
import { paths } from '../lib/paths.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

type Options = {
  shouldBlock: () => boolean;
  title: string;
  text: string;
  confirmLabel: string;
  onLeave?: () => void;
};

/** Asks before the user leaves a screen and loses something. Returns the dialog to render. */
export function useLeaveGuard({ shouldBlock, title, text, confirmLabel, onLeave }: Options) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      shouldBlock() &&
      // An expired session, like other forced redirects, is never blocked.
      nextLocation.pathname !== paths.login &&
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

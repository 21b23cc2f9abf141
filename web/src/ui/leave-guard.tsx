import { useBeforeUnload, useBlocker } from 'react-router';
import { ConfirmDialog } from './confirm-dialog.tsx';

type LeaveGuardOptions = {
  isHeld: () => boolean;
  /** Where a session that ended leads. That, and what the server demands, is not the user's to refuse. */
  signInPath: string;
  title: string;
  text: string;
  confirmLabel: string;
  onLeave?: () => void;
};

/** Asks before a screen is left with something on it that would be lost. Returns the dialog to render. */
export function useLeaveGuard({ isHeld, signInPath, title, text, confirmLabel, onLeave }: LeaveGuardOptions) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isHeld() &&
      nextLocation.pathname !== signInPath &&
      nextLocation.pathname !== currentLocation.pathname &&
      nextLocation.state?.demanded !== true,
  );
  useBeforeUnload((event) => {
    if (isHeld()) event.preventDefault();
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

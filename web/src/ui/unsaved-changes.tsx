import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLeaveGuard } from './leave-guard.tsx';

/** What was typed and not saved when a session ended, until the same user is back on the same form. */
const drafts = new Map<string, object>();

/** Not what was left as it was: that may have changed elsewhere by the time it is back. */
const typedIn = (values: object, initial: object) =>
  Object.fromEntries(
    Object.entries(values).filter(([field, value]) => value !== initial[field as keyof typeof initial]),
  );

type Options<Values> = {
  form: UseFormReturnType<Values>;
  /** Tells forms and users apart, such as 'user 3, customer 17'. */
  draftKey: string;
  /** Where a session that ended leads; going there is not the user's wish and cannot be refused. */
  signInPath: string;
};

/**
 * Keeps what was typed: asks before leaving, and brings it back after a session ended half way.
 * Render `dialog`; call `forget()` before navigating away from what was saved.
 */
export function useUnsavedChanges<Values extends object>({ form, draftKey, signInPath }: Options<Values>) {
  const dirty = form.isDirty();
  const saved = useRef(false);

  const bringBack = useEffectEvent((draft: object) => form.setValues(draft as Partial<Values>));
  useEffect(() => {
    const draft = drafts.get(draftKey);
    if (draft) bringBack(draft);
  }, [draftKey]);

  useEffect(() => {
    if (dirty && !saved.current) drafts.set(draftKey, typedIn(form.values, form.getInitialValues()));
    else drafts.delete(draftKey);
  }, [dirty, draftKey, form.values, form.getInitialValues]);

  const dialog = useLeaveGuard({
    isHeld: () => dirty && !saved.current,
    signInPath,
    title: 'Leave without saving?',
    text: 'What you changed on this screen is not saved yet.',
    confirmLabel: 'Leave without saving',
    // At once: the screen may stay for a moment, and must not hold up what comes next.
    onLeave: forget,
  });

  function forget(): void {
    saved.current = true;
    drafts.delete(draftKey);
  }

  return { dialog, forget };
}

import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLeaveGuard } from './leave-guard.tsx';

/** Unsaved input of expired sessions, until the same user returns to the same form. */
const drafts = new Map<string, object>();

/** Leaves out untouched fields, which may have changed elsewhere by the time the draft is restored. */
const changedValues = (values: object, initial: object) =>
  Object.fromEntries(
    Object.entries(values).filter(([field, value]) => value !== initial[field as keyof typeof initial]),
  );

type Options<Values> = {
  form: UseFormReturnType<Values>;
  /** Unique per user and form, such as 'user 3, customer 17'. */
  draftKey: string;
};

/**
 * Protects unsaved input: asks before leaving, and restores it after a session expired.
 * Render `dialog`; call `discard()` before navigating away after a save.
 */
export function useUnsavedChanges<Values extends object>({ form, draftKey }: Options<Values>) {
  const dirty = form.isDirty();
  const saved = useRef(false);

  const restoreDraft = useEffectEvent((draft: object) => form.setValues(draft as Partial<Values>));
  useEffect(() => {
    const draft = drafts.get(draftKey);
    if (draft) restoreDraft(draft);
  }, [draftKey]);

  useEffect(() => {
    if (dirty && !saved.current) drafts.set(draftKey, changedValues(form.values, form.getInitialValues()));
    else drafts.delete(draftKey);
  }, [dirty, draftKey, form.values, form.getInitialValues]);

  const dialog = useLeaveGuard({
    shouldBlock: () => dirty && !saved.current,
    title: 'Leave without saving?',
    text: 'What you changed on this screen is not saved yet.',
    confirmLabel: 'Leave without saving',
    // Immediately: the screen may stay for a moment, and must not block the next navigation.
    onLeave: discard,
  });

  function discard(): void {
    saved.current = true;
    drafts.delete(draftKey);
  }

  return { dialog, discard };
}

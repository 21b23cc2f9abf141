import { useEffect } from 'react';
import { z } from 'zod';
import { getSession, onSessionChange, userKeyOf, wasSignedOutOnPurpose } from './session.ts';

const storageKey = 'opened_last';
const maxKept = 8;

/** Ids only: personal data must not be stored in the browser. */
const openedRecord = z.object({ kind: z.enum(['customer', 'document']), id: z.int() });
export type OpenedRecord = z.infer<typeof openedRecord>;

const stored = z.object({ user: z.union([z.int(), z.string()]), records: z.array(openedRecord) });

function readStored(): z.infer<typeof stored> | undefined {
  try {
    return stored.parse(JSON.parse(localStorage.getItem(storageKey) ?? ''));
  } catch {
    return undefined;
  }
}

/** Newest first. */
export function openedLast(): OpenedRecord[] {
  const session = getSession();
  const found = readStored();
  return session && found?.user === userKeyOf(session.user) ? found.records : [];
}

function save(records: OpenedRecord[]): void {
  const session = getSession();
  if (!session) return;
  localStorage.setItem(storageKey, JSON.stringify({ user: userKeyOf(session.user), records }));
}

const others = ({ kind, id }: OpenedRecord) =>
  openedLast().filter((record) => record.kind !== kind || record.id !== id);

/** Call it for a record that no longer exists. */
export const forgetOpened = (record: OpenedRecord) => save(others(record));

/** Used by the screen of a record; the id is undefined until the record has loaded. */
export function useRememberOpened(kind: OpenedRecord['kind'], id: number | undefined): void {
  useEffect(() => {
    if (id === undefined) return;
    const record = { kind, id };
    save([record, ...others(record)].slice(0, maxKept));
  }, [kind, id]);
}

/** A sign-out or another user removes the records; an expired session keeps them. */
function dropOutdated(): void {
  const session = getSession();
  const isOver = session ? readStored()?.user !== userKeyOf(session.user) : wasSignedOutOnPurpose();
  if (isOver) localStorage.removeItem(storageKey);
}

onSessionChange(dropOutdated);
// Another user may have signed in before this module was loaded.
dropOutdated();

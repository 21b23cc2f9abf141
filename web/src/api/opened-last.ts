import { useEffect } from 'react';
import { z } from 'zod';
import { getSession, onSessionChange, userKeyOf, wasSignedOutOnPurpose } from './session.ts';

const storageKey = 'opened_last';
const maxKept = 8;

/** Never a name: personal data stays off the disk. */
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

/** For a record that no longer exists. */
export const forgetOpened = (record: OpenedRecord) => save(others(record));

/** For the screen of a record; the id is undefined until the record has loaded. */
export function useRememberOpened(kind: OpenedRecord['kind'], id: number | undefined): void {
  useEffect(() => {
    if (id === undefined) return;
    const record = { kind, id };
    save([record, ...others(record)].slice(0, maxKept));
  }, [kind, id]);
}

/** They end with the sign-out or with another user, but not with an expired session. */
function dropOfOthers(): void {
  const session = getSession();
  const isOver = session ? readStored()?.user !== userKeyOf(session.user) : wasSignedOutOnPurpose();
  if (isOver) localStorage.removeItem(storageKey);
}

onSessionChange(dropOfOthers);
// Somebody else may have signed in before this module was loaded.
dropOfOthers();

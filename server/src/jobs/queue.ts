import type { Database } from '../db/client.ts';
import { type AnyJob, createBoss } from './boss.ts';
import type { Job } from './job.ts';

/**
 * Adds a job in the caller's transaction: it exists if and only if the change does. Replaces a waiting job with the
 * same key.
 */
export async function enqueue<Payload extends object>(
  db: Database,
  { name }: Job<never, Payload>,
  payload: Payload,
  key: string,
  notBefore?: Date,
): Promise<void> {
  // Of its own for each job: one that used the pool would wait for a second connection while the caller holds one.
  const boss = createBoss(db, {});
  // Zero, not nothing: a job that waits for its next attempt becomes due at once.
  await boss.upsert(name, payload, { singletonKey: key, startAfter: notBefore ?? 0 });
}

/** Begins a scheduled job now, unless it waits already. */
export async function wake(db: Database, { name }: AnyJob): Promise<void> {
  await createBoss(db, {}).send(name, {});
}

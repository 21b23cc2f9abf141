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
  // On the caller's connection: waiting for a second one while holding the first could deadlock the pool.
  const boss = createBoss(db, {});
  // Without 0, a job that waits for its retry would keep that time.
  await boss.upsert(name, payload, { singletonKey: key, startAfter: notBefore ?? 0 });
}

/** Starts a scheduled job now, unless one waits already. */
export async function wake(db: Database, { name }: AnyJob): Promise<void> {
  await createBoss(db, {}).send(name, {});
}

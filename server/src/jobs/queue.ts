import { fromKysely } from 'pg-boss';
import type { Database } from '../db/client.ts';
import { createBoss } from './boss.ts';
import type { Job } from './job.ts';

export type JobQueue = {
  /**
   * Adds a job in the caller's transaction: it exists if and only if the change does. Replaces a waiting job
   * with the same key.
   */
  enqueue<Payload extends object>(
    db: Database,
    job: Job<never, Payload>,
    payload: Payload,
    key: string,
    notBefore?: Date,
  ): Promise<void>;
};

export function createJobQueue(db: Database): JobQueue {
  const boss = createBoss(db, {});
  return {
    async enqueue(transaction, { name }, payload, key, notBefore) {
      await boss.upsert(name, payload, {
        singletonKey: key,
        // Zero, not nothing: a job that waits for its next attempt becomes due at once.
        startAfter: notBefore ?? 0,
        db: fromKysely(transaction),
      });
    },
  };
}

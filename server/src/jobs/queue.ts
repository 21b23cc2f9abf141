import { sql } from 'kysely';
import type { Database } from '../db/client.ts';

/** What is done later, each with its payload. */
export type JobPayloads = {
  /** Sealed: a queue is stored, and a password must not be. */
  'send-invitation': { user_id: number; sealed_password: string };
  'send-notice': { user_id: number; to: string; name: string; change: 'email' | 'mfa'; at: string };
  'delete-object': { storage_key: string };
  'sweep-objects': Record<string, never>;
  'forget-expired': Record<string, never>;
  'backup-if-due': Record<string, never>;
  'check-if-due': Record<string, never>;
};
export type JobName = keyof JobPayloads;

/**
 * Puts a job on the queue in the caller's transaction: it exists if and only if the change does.
 * A job with the key of one that still waits takes its place.
 */
export async function enqueue<N extends JobName>(
  db: Database,
  name: N,
  payload: JobPayloads[N],
  key: string,
  notBefore?: Date,
): Promise<void> {
  await sql`select graphile_worker.add_job(
    ${name}, ${JSON.stringify(payload)}::json, job_key => ${key}, run_at => ${notBefore ?? null})`.execute(
    db,
  );
}

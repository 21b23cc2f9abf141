import type pg from 'pg';
import type { Database } from '../../server/src/db/client.ts';
import { enqueue } from '../../server/src/jobs/queue.ts';
import { jobs } from '../../server/src/start/jobs.ts';

/** Runs a scheduled job now. */
export async function enqueueScheduled(db: Database, name: string): Promise<void> {
  const job = jobs.find((each) => each.name === name && each.schedule !== undefined);
  if (!job) throw new Error(`${name} is no scheduled job`);
  await enqueue(db, job, {} as never, name);
}

type Queryable = Pick<pg.Pool, 'query'> | Pick<pg.Client, 'query'>;

export type PendingJob = {
  name: string;
  key: string | null;
  /** Attempts begun so far. */
  attempts: number;
  isRunning: boolean;
  lastError: string | null;
};

/** Jobs that wait, run, or wait for their next attempt. */
export async function pendingJobs(database: Queryable): Promise<PendingJob[]> {
  const { rows } = await database.query(
    `select name, singleton_key as key, state = 'active' as "isRunning", output ->> 'error' as "lastError",
       retry_count + case when started_on is null then 0 else 1 end as attempts
     from pgboss.job where state < 'completed' and name <> 'failed' order by created_on`,
  );
  return rows;
}

/** Skips the delay before the next attempt. */
export async function makeJobsDue(database: Queryable): Promise<void> {
  await database.query(`update pgboss.job set start_after = now() where state in ('created', 'retry')`);
}

/** Backdates the last heartbeat of servers killed a moment ago, so that another one takes their jobs over. */
export async function expireHeartbeats(database: Queryable): Promise<void> {
  await database.query(
    `update pgboss.job set heartbeat_on = now() - interval '1 hour'
     where state = 'active' and heartbeat_on < now() - interval '6 seconds'`,
  );
}

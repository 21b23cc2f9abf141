import type pg from 'pg';
import type { Logger } from 'pino';

export const renewEveryMs = 10_000;

const renew = 'update graphile_worker._private_jobs set locked_at = now() where locked_by = $1';

const findAbandoned = `select array_agg(distinct locked_by) as holders, count(*)::int as jobs
  from graphile_worker._private_jobs where locked_at < now() - interval '1 minute'`;

/**
 * Keeps what the holder has taken as taken, and gives back what a server took that died since: left alone, the
 * queue would wait four hours before anybody else could take it.
 */
export async function renewHold(pool: pg.Pool, holder: string, log: Logger): Promise<void> {
  await pool.query(renew, [holder]);
  const { rows } = await pool.query<{ holders: string[] | null; jobs: number }>(findAbandoned);
  const [abandoned] = rows;
  if (!abandoned?.holders) return;
  await pool.query('select graphile_worker.force_unlock_workers($1::text[])', [abandoned.holders]);
  log.warn({ jobs: abandoned.jobs }, 'jobs of a server that is gone are done by another one');
}

const forgetPast = `delete from graphile_worker._private_jobs as jobs using graphile_worker._private_tasks as tasks
  where tasks.id = jobs.task_id and tasks.identifier = any($1::text[])
    and jobs.locked_at is null and jobs.attempts >= jobs.max_attempts`;

/**
 * What comes by the clock and failed for good has its next turn anyway, and a row that nobody will ever take would
 * count as failed for ever. So does one that died with its server after the next turn had come: the queue does not
 * let it be tried again then, however many attempts it had left.
 */
export async function forgetPastTurns(pool: pg.Pool, names: string[]): Promise<void> {
  await pool.query(forgetPast, [names]);
}

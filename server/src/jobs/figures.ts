import { sql } from 'kysely';
import type { Database } from '../db/client.ts';
import type { QueueFigures } from '../metrics/queue-figures.ts';

// Whoever reads figures wants to know that it is many, not to have a long queue counted every few seconds.
const countedAtMost = 10_000;

/** What is in the queue, whichever server put it there. */
export async function readQueue(db: Database): Promise<QueueFigures | undefined> {
  const { rows } = await sql<QueueFigures>`
    select count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state = 'running')::int as running,
      count(*) filter (where state = 'retrying')::int as retrying,
      count(*) filter (where state = 'failed')::int as failed,
      coalesce(extract(epoch from now() - min(run_at)
        filter (where state in ('waiting', 'retrying') and run_at <= now())), 0)::float8 as "oldestDueSeconds"
    from (
      select run_at, case
        when locked_at is not null then 'running'
        when attempts >= max_attempts then 'failed'
        when attempts > 0 then 'retrying'
        else 'waiting' end as state
      from graphile_worker.jobs limit ${countedAtMost}
    ) as counted`.execute(db);
  return rows[0];
}

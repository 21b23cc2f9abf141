import { sql } from 'kysely';
import type { Database } from '../db/client.ts';
import type { QueueStats } from '../metrics/database-gauges.ts';
import { failedQueue } from './boss.ts';

// Bounds the cost of a scrape; beyond that, the exact number does not matter.
const maxCounted = 10_000;

/** Counts the jobs of all servers. */
export async function readQueueStats(db: Database): Promise<QueueStats | undefined> {
  const { rows } = await sql<QueueStats>`
    select count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state = 'running')::int as running,
      count(*) filter (where state = 'retrying')::int as retrying,
      count(*) filter (where state = 'failed')::int as failed,
      coalesce(extract(epoch from now() - min(start_after)
        filter (where state in ('waiting', 'retrying') and start_after <= now())), 0)::float8 as "oldestDueSeconds"
    from (
      select start_after, case
        when name = ${failedQueue} then 'failed'
        when state = 'active' then 'running'
        when state = 'retry' then 'retrying'
        else 'waiting' end as state
      from pgboss.job where state < 'completed' limit ${maxCounted}
    ) as counted`.execute(db);
  return rows[0];
}

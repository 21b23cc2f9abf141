import { sql } from 'kysely';
import { fromKysely, type JobInsert, type PgBoss } from 'pg-boss';
import type { Database } from '../db/client.ts';
import { type AnyJob, failedQueue } from './boss.ts';

type GraphileJob = { name: string; data: object; singletonKey: string; startAfter: Date };

/**
 * Earlier versions used graphile-worker. Moves what its queue still holds to this one, and drops it. Scheduled jobs
 * stay behind: they come again by themselves.
 */
export async function takeOverGraphileJobs(db: Database, boss: PgBoss, jobs: AnyJob[]): Promise<void> {
  const names = jobs.filter(({ schedule }) => schedule === undefined).map(({ name }) => name);
  await db.transaction().execute(async (tx) => {
    const schema = await sql`select from pg_namespace where nspname = 'graphile_worker'`.execute(tx);
    if (schema.rows.length === 0) return;
    const held = await sql<GraphileJob>`
      select case when jobs.attempts < jobs.max_attempts then tasks.identifier else ${failedQueue} end as name,
        jobs.payload as data, coalesce(jobs.key, 'graphile:' || jobs.id) as "singletonKey",
        jobs.run_at as "startAfter"
      from graphile_worker._private_jobs as jobs
      join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
      where tasks.identifier = any(${names})
      order by jobs.id`.execute(tx);
    for (const name of [...names, failedQueue]) {
      const ours: JobInsert[] = held.rows.filter((job) => job.name === name);
      if (ours.length > 0) await boss.insert(name, ours, { db: fromKysely(tx) });
    }
    await sql`drop schema graphile_worker cascade`.execute(tx);
  });
}

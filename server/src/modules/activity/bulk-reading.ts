import type { ActivityAction } from '@customer-database/contract/activity';
import { sql } from 'kysely';
import type { Database } from '../../db/client.ts';

const readActions = ['document.viewed', 'document.downloaded'] as const satisfies ActivityAction[];

export type BulkReader = { user_id: number; views: number; downloads: number };

/** Users with more than `limit` views and downloads since `since`, whom no report since then names. */
export async function findBulkReaders(db: Database, since: Date, limit: number): Promise<BulkReader[]> {
  const [viewed, downloaded] = readActions;
  const { rows } = await sql<BulkReader>`
    select actor_id as user_id, count(*) filter (where action = ${viewed}) as views,
      count(*) filter (where action = ${downloaded}) as downloads
    from activity
    where action = any(${[...readActions]}) and at > ${since} and actor_id is not null
    group by actor_id
    having count(*) > ${limit}::bigint and not exists (
      select from activity as reported
      where reported.action = 'reading.unusual' and reported.at > ${since} and reported.subject_id = activity.actor_id
    )`.execute(db);
  return rows;
}

const countOf = (kind: 'views' | 'downloads') =>
  sql<number>`coalesce((detail ->> ${sql.lit(kind)})::bigint, 0)`;

/** Newest first. */
export function listUnusualReading(db: Database, since: Date, limit: number) {
  return db
    .selectFrom('activity')
    .innerJoin('users', 'users.id', 'activity.subject_id')
    .select(['users.id as user_id', 'users.name', 'activity.at'])
    .select(countOf('views').as('views'))
    .select(countOf('downloads').as('downloads'))
    .where('action', '=', 'reading.unusual')
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute();
}

export type UnusualReading = Awaited<ReturnType<typeof listUnusualReading>>[number];

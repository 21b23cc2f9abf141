import type { ActivityAction } from '@customer-database/contract/activity';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/client.ts';
import type { MaintenanceStats } from '../../metrics/database-gauges.ts';

type MaintenanceAction = Extract<ActivityAction, `${'backup' | 'check'}.${'completed' | 'failed'}`>;

/** A value from the newest row of a backup or check action that meets the condition. These actions have an index. */
export const lastOf = <T>(
  action: MaintenanceAction,
  value: RawBuilder<unknown>,
  condition: RawBuilder<unknown> = sql`true`,
) => sql<T>`(
  select ${value} from activity where action = ${sql.lit(action)} and ${condition} order by at desc limit 1)`;

const seconds = sql`extract(epoch from at)::float8`;

export async function readMaintenance(db: Database): Promise<MaintenanceStats> {
  const row = await db
    .selectNoFrom([
      lastOf<number | null>('backup.completed', seconds).as('backup'),
      lastOf<number | null>('check.completed', seconds).as('check'),
      lastOf<number | null>('check.completed', sql`(detail ->> 'problems')::int`).as('problems'),
    ])
    .executeTakeFirst();
  return {
    lastBackupSeconds: row?.backup ?? undefined,
    lastCheckSeconds: row?.check ?? undefined,
    lastCheckProblems: row?.problems ?? undefined,
  };
}

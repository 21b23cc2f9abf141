import type { ActivityAction } from '@customer-database/contract/activity';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/client.ts';
import type { UpkeepFigures } from '../../metrics/upkeep-figures.ts';

type UpkeepAction = Extract<ActivityAction, `${'backup' | 'check'}.${'completed' | 'failed'}`>;

/**
 * Something about the newest row of an action that has to do with backups and checks: those have an index.
 * With `only`, the newest for which that holds.
 */
export const lastOf = <T>(
  action: UpkeepAction,
  what: RawBuilder<unknown>,
  only?: RawBuilder<unknown>,
) => sql<T>`(
  select ${what} from activity where action = ${sql.lit(action)}
  ${only ? sql`and ${only}` : sql``} order by at desc limit 1)`;

const seconds = sql`extract(epoch from at)::float8`;

export async function readUpkeep(db: Database): Promise<UpkeepFigures> {
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

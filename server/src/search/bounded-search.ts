import { limits } from '@customer-database/contract/limits';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { prepare } from '../db/prepared.ts';
import { limitSearches, type Searcher } from './limit.ts';

const maxReported = limits.maxSearchCount;

/** One more than the response reports, to know whether there are more. */
export const maxCounted = maxReported + 1;

export type Matches = { count: number; isCapped: boolean };

export const matchesOf = (count: number): Matches => ({
  count: Math.min(count, maxReported),
  isCapped: count > maxReported,
});

export type Search<Row> = {
  /** Selects all matches: `key_id`, and the columns that `order` needs. */
  matching: RawBuilder<unknown>;
  /** Selects the first matches in order, where there are more than are counted. */
  leading?: ((limit: number) => RawBuilder<unknown>) | undefined;
  order: RawBuilder<unknown>;
  /** Selects all records in the shape of the result, each with its `id`. */
  records: Expression<Row>;
  /** For conditions whose best plan depends on how common their words are. */
  plansEachTime?: boolean;
  timeoutMs?: number | undefined;
};

const isCapped = sql`(select matches > ${sql.lit(maxReported)} from counted)`;

/**
 * Finds, counts, sorts and loads in one statement with bounded work: PostgreSQL stops after `maxCounted` matches, which
 * are then any of them. So where it stops, `leading` adds those that come first.
 */
export async function search<Row extends { id: number }>(
  searcher: Searcher,
  { matching, leading, order, records, plansEachTime = false, timeoutMs }: Search<Row>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ records: Row[]; matches: Matches }> {
  const orLeading = leading
    ? sql`union select * from (${leading(offset + limit)}) as top where ${isCapped}`
    : sql``;
  const statement = sql<Row & { matches: number }>`
    with matching as materialized (${matching} limit ${sql.lit(maxCounted)}),
    counted as materialized (select count(*) as matches from matching),
    page as (select * from (table matching ${orLeading}) as found order by ${order} offset ${offset} limit ${limit})
    select counted.matches, records.*
    from counted left join (page join ${records} as records on records.id = key_id) on true
    order by ${order}`.compile(searcher.db);
  if (!plansEachTime) prepare(statement.sql);
  const { rows } = await limitSearches(searcher, (db) => db.executeQuery(statement), timeoutMs);
  return {
    // Without a match, the only row has the count alone.
    records: rows.filter(({ id }) => id !== null),
    matches: matchesOf(rows[0]?.matches ?? 0),
  };
}

import { limits } from '@customer-database/contract/limits';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { prepare } from '../db/prepared.ts';
import { limitSearches, type Searcher } from './limit.ts';

const cap = limits.maxSearchCount;

export type Matches = { count: number; isCapped: boolean };

/** One more than is reported, to know whether there are more. */
export const maxCounted = cap + 1;

export const matchesOf = (count: number): Matches => ({ count: Math.min(count, cap), isCapped: count > cap });

export type Search<Row> = {
  /** Selects `key_id`, and what `order` needs, for all matches. */
  matching: RawBuilder<unknown>;
  /** If there are more matches than are counted: the first ones in order. */
  leading?: ((limit: number) => RawBuilder<unknown>) | undefined;
  order: RawBuilder<unknown>;
  /** All records in the shape of the result, each with its `id`. */
  records: Expression<Row>;
  /** For conditions whose best plan depends on how common their words are. */
  plansEachTime?: boolean;
  timeoutMs?: number | undefined;
};

const isCapped = sql`(select matches > ${sql.lit(cap)} from counted)`;

/**
 * Finds, counts and sorts in one statement with bounded work: it reads no more matches than it counts. Beyond that
 * limit, all but the leading matches are an arbitrary selection.
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
  const [first] = rows;
  return {
    records: rows.filter(({ id }) => id !== null),
    matches: matchesOf(first?.matches ?? 0),
  };
}

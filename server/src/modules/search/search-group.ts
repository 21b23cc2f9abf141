import { limits } from '@customer-database/contract/limits';
import type { LongerWords } from '@customer-database/words/question';
import { type RawBuilder, sql } from 'kysely';
import { limitSearches, type Searcher } from '../../search/limit.ts';

/*
 * Each group of the response takes one statement. None is prepared, because the best plan depends on the words:
 * PostgreSQL looks up rare words in the index, and for common ones reads the newest records until it has enough matches.
 */

export type Found<Item> = { items: Item[]; count: number; isCapped: boolean };
export type Slice = { limit: number; offset: number };

export const noMatches: Found<never> = { items: [], count: 0, isCapped: false };

// One more than the response counts, to know whether there are more.
const maxMatches = sql.lit(limits.maxHits + 1);

export type GroupSearch = {
  /** Selects the `id` of all matches; those first that have to be found if there are more than are counted. */
  matching: (longerWords?: LongerWords) => RawBuilder<unknown>;
  /** Selects the `id` of matches that `matching` may give late. */
  leading?: RawBuilder<unknown>;
  /** Joined to the matches for the columns and the order. */
  joins?: RawBuilder<unknown>;
  /** What a result has besides its id. */
  columns?: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  longerWords: LongerWords;
};

/**
 * Finds, counts and sorts the matches of one group, and returns a slice of them. Matches inside of longer words come
 * last, and are only looked for if there are not enough others.
 */
export async function searchGroup<Item extends { id: number }>(
  searcher: Searcher,
  { matching, leading, joins = sql``, columns = sql``, order, longerWords }: GroupSearch,
  { limit, offset }: Slice,
  timeoutMs?: number,
): Promise<Found<Item>> {
  const orLeading = leading ? sql`union (${leading})` : sql``;
  const inside = sql`
    select id, false as is_whole
    from (${matching(longerWords)} limit ${maxMatches}) as inside
    where (select count(*) from whole) < ${maxMatches} and id not in (select id from whole)`;
  // The left join keeps the count if the slice is empty.
  const statement = sql<{ matches: number; item: Item | null }>`
    with whole as materialized ((${matching()} limit ${maxMatches}) ${orLeading}),
    matching as materialized (
      select id, true as is_whole from whole ${longerWords.size > 0 ? sql`union all ${inside}` : sql``}
    ),
    slice as (
      select matching.id ${columns}, row_number() over (order by is_whole desc, ${order}) as rank
      from matching ${joins}
      order by rank offset ${offset} limit ${limit}
    )
    select counted.matches, to_jsonb(slice) as item
    from (select count(*)::int as matches from matching) as counted left join slice on true order by rank`;
  const { rows } = await limitSearches(searcher, (db) => statement.execute(db), timeoutMs);
  const matches = rows[0]?.matches ?? 0;
  return {
    items: rows.flatMap(({ item }) => item ?? []),
    count: Math.min(matches, limits.maxHits),
    isCapped: matches > limits.maxHits,
  };
}

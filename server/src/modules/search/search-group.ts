import { limits } from '@customer-database/contract/limits';
import type { LongerWords } from '@customer-database/words/question';
import { type RawBuilder, sql } from 'kysely';
import { anyOf } from '../../db/conditions.ts';
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

/** Selects at most so many records, among which the matches are looked for. */
type Candidates = { select: (longerWords?: LongerWords) => RawBuilder<unknown>; atMost: number };

export type GroupSearch = {
  candidates?: Candidates;
  /**
   * Selects the `id` of all matches, among the candidates if there are any; those first that have to be found if there
   * are more than are counted.
   */
  matching: (longerWords: LongerWords | undefined, candidates: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** Selects the `id` of matches that `matching` may give late. */
  leading?: RawBuilder<unknown>;
  /** Joined to the matches for the columns and the order. */
  joins?: RawBuilder<unknown>;
  /** What a result has besides its id. */
  columns?: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  longerWords: LongerWords;
};

/** Names the candidates in the statement, which reads only as many of them as it needs. */
const namedCandidates = (name: RawBuilder<unknown>, candidates?: Candidates, longerWords?: LongerWords) =>
  candidates ? sql`${name} as materialized (${candidates.select(longerWords)}),` : sql``;

const reaches = (name: RawBuilder<unknown>, { atMost }: Candidates) =>
  sql<boolean>`(select count(*) from ${name}) >= ${sql.lit(atMost)}`;

/**
 * Finds, counts and sorts the matches of one group, and returns a slice of them. Matches inside of longer words come
 * last, and are only looked for if there are not enough others.
 */
export async function searchGroup<Item extends { id: number }>(
  searcher: Searcher,
  { candidates, matching, leading, joins = sql``, columns = sql``, order, longerWords }: GroupSearch,
  { limit, offset }: Slice,
  timeoutMs?: number,
): Promise<Found<Item>> {
  const orLeading = leading ? sql`union (${leading})` : sql``;
  const [ofWhole, ofInside] = [sql`whole_candidates`, sql`inside_candidates`];
  const hasInside = longerWords.size > 0;
  const inside = sql`
    select id, false as is_whole
    from (${matching(longerWords, ofInside)} limit ${maxMatches}) as inside
    where (select count(*) from whole) < ${maxMatches} and id not in (select id from whole)`;
  const mayHaveMore = candidates
    ? anyOf([reaches(ofWhole, candidates), ...(hasInside ? [reaches(ofInside, candidates)] : [])])
    : sql<boolean>`false`;
  // The left join keeps the count if the slice is empty.
  const statement = sql<{ matches: number; is_capped: boolean; item: Item | null }>`
    with ${namedCandidates(ofWhole, candidates)}
    whole as materialized ((${matching(undefined, ofWhole)} limit ${maxMatches}) ${orLeading}),
    ${hasInside ? namedCandidates(ofInside, candidates, longerWords) : sql``}
    matching as materialized (
      select id, true as is_whole from whole ${hasInside ? sql`union all ${inside}` : sql``}
    ),
    slice as (
      select matching.id ${columns}, row_number() over (order by is_whole desc, ${order}) as rank
      from matching ${joins}
      order by rank offset ${offset} limit ${limit}
    )
    select counted.matches, to_jsonb(slice) as item,
      case when counted.matches >= ${maxMatches} then true else ${mayHaveMore} end as is_capped
    from (select count(*)::int as matches from matching) as counted left join slice on true order by rank`;
  const { rows } = await limitSearches(searcher, (db) => statement.execute(db), timeoutMs);
  return {
    items: rows.flatMap(({ item }) => item ?? []),
    count: Math.min(rows[0]?.matches ?? 0, limits.maxHits),
    isCapped: rows[0]?.is_capped ?? false,
  };
}

import { limits } from '@customer-database/contract/limits';
import { type RawBuilder, sql } from 'kysely';
import { type Database, plannedAnew } from './client.ts';

/** One filter of a search, in two forms that find the same. */
export type Filter = {
  /** For going through the records in their order. */
  plain: RawBuilder<boolean>;
  /** For going to the matches through an index. */
  indexed: RawBuilder<boolean>;
};

/** Matches anywhere in the column, without regard to case or accents; wildcards are plain characters. */
export function contains(column: string, term: string): Filter {
  const plain = sql<boolean>`${sql.ref(column)} like search_pattern(${term})`;
  return { plain, indexed: plain };
}

/** With a column of the single letters, too: without that, terms of one or two letters have no index. */
export function containsLetters(column: string, letters: string, term: string): Filter {
  const { plain } = contains(column, term);
  const spread = sql<boolean>`${sql.ref(letters)} like letters_pattern(${term})`;
  return { plain, indexed: sql<boolean>`${plain} and (length(search_text(${term})) > 2 or ${spread})` };
}

/** A phone number is matched by its digits however it is written; by other signs only as it is written. */
export function containsPhone(column: string, written: string, term: string): Filter {
  const digits = term.replace(/\D/g, '');
  if (digits !== '') return contains(column, digits);
  return contains(/\p{L}/u.test(term) ? column : written, term);
}

/** All filters, in either form. */
export function every(filters: Filter[], form: keyof Filter): RawBuilder<boolean> {
  return filters.length === 0
    ? sql<boolean>`true`
    : sql.join(
        filters.map((filter) => filter[form]),
        sql` and `,
      );
}

export type SearchPlan = {
  table: 'customers' | 'documents';
  /** How many filters have to look into each record. */
  filters: number;
  /** Whether the planner's guess can be trusted: not where it multiplies what depends on each other. */
  isGuessGood: boolean;
  /** The ids of all matches and what they are ordered by, in no order. */
  matching: (form: keyof Filter) => RawBuilder<unknown>;
  /** The ids of the matches among the first `lookAt` records, in order. */
  inOrder: (lookAt: number) => RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  /** How many there are, where nothing is filtered out. */
  total: (() => Promise<number>) | undefined;
};

/** The ids as one value: the text of the statement is the same for any number of them. */
export const anyOf = (ids: number[]) => sql<number>`any(${ids}::bigint[])`;

export type Matches = { count: number; isCapped: boolean };
export type Found = { ids: number[]; matches: Matches };

const cap = limits.maxSearchCount;
const capped: Matches = { count: cap, isCapped: true };
const matchesOf = (count: number): Matches => (count > cap ? capped : { count, isCapped: false });

// Some ten milliseconds' worth of records; where one in eighty matches, they fill the largest answer.
const lookAtMost = 40_000;

/**
 * The first matches in order, and how many there are, at a cost that hardly grows with the data.
 * Where many match, going through the records in order soon has enough; where few do, an index leads
 * to all of them, which are then counted and sorted.
 */
export async function search(db: Database, plan: SearchPlan, limit: number): Promise<Found> {
  if (plan.filters === 0) return searchRange(db, plan, limit);
  const guess = await guessMatches(db, plan);
  if (guess > cap) {
    const ids = await firstInOrder(db, plan, limit, lookAtMost);
    if (ids.length === limit) {
      return {
        ids,
        matches: (await hasPlenty(db, plan, guess)) ? capped : await countMatches(db, plan, 'indexed'),
      };
    }
  }
  return gather(db, plan, limit);
}

/** All that match are next to each other in the order. */
async function searchRange(db: Database, plan: SearchPlan, limit: number): Promise<Found> {
  const ids = limit === 0 ? [] : await firstInOrder(db, plan, limit, limit);
  if (plan.total) return { ids, matches: { count: await plan.total(), isCapped: false } };
  if (ids.length < limit) return { ids, matches: matchesOf(ids.length) };
  return { ids, matches: await countMatches(db, plan, 'plain') };
}

async function firstInOrder(
  db: Database,
  plan: SearchPlan,
  limit: number,
  lookAt: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select ${plannedAnew} id from (${plan.inOrder(lookAt)}) as found order by ${plan.order} limit ${limit}`.execute(
    db,
  );
  return rows.map((row) => row.id);
}

/** Materialized, so that the planner goes for all matches and not for the first few. */
async function gather(db: Database, plan: SearchPlan, limit: number): Promise<Found> {
  const { rows } = await sql<{ count: number; ids: string[] }>`
    with matching as materialized (${plan.matching('indexed')})
    select ${plannedAnew} (select count(*) from matching) as count,
      array(select id from matching order by ${plan.order} limit ${limit}) as ids`.execute(db);
  const [found = { count: 0, ids: [] }] = rows;
  return { ids: found.ids.map(Number), matches: matchesOf(found.count) };
}

/** Reads no further than anybody wants to know. */
async function countMatches(db: Database, plan: SearchPlan, form: keyof Filter): Promise<Matches> {
  const { rows } = await sql<{ count: number }>`
    select ${plannedAnew} count(*) as count
    from (select from (${plan.matching(form)}) as matching limit ${cap + 1}) as counted`.execute(db);
  return matchesOf(rows[0]?.count ?? 0);
}

/** The planner's guess: good for one filter, and off by any factor for several together. */
async function guessMatches(db: Database, plan: SearchPlan): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select ${plannedAnew} from (${plan.matching('plain')}) as matching`.execute(db);
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}

/**
 * Whether there are far more than are ever counted: three times as many by the guess, and enough to stand on
 * a dozen of the 400 samples that it is made of; also if all that changed since then had been matches.
 */
async function hasPlenty(db: Database, plan: SearchPlan, guess: number): Promise<boolean> {
  if (!plan.isGuessGood || guess < 3 * cap) return false;
  const { rows } = await sql<{ records: number; changes: number }>`
    select reltuples as records, pg_stat_get_mod_since_analyze(oid) as changes
    from pg_class where oid = ${sql.lit(plan.table)}::regclass`.execute(db);
  const [{ records, changes } = { records: 0, changes: 0 }] = rows;
  return guess - changes >= Math.max(3 * cap, records * (12 / 400));
}

import { limits } from '@customer-database/contract/limits';
import { type RawBuilder, sql } from 'kysely';
import { type Database, plannedAnew } from './client.ts';
import type { Form } from './filters.ts';

export type SearchPlan = {
  table: 'customers' | 'documents';
  /** How many filters have to look into each record. */
  filters: number;
  /** So many may match, by what is known of the terms. */
  atMost: number;
  /** About so many do, where that is known better than by the planner's guess. */
  expected?: number | undefined;
  /** Whether the planner's guess can be trusted: not where it multiplies what depends on each other. */
  isGuessGood: boolean;
  /** The ids of all matches and what they are ordered by, in no order. */
  matching: (form: Form) => RawBuilder<unknown>;
  /** The same in two parts, where an index has one of them in a row: that, in order, and the others. */
  parts?: { inARow: RawBuilder<unknown>; others: (form: Form) => RawBuilder<unknown> } | undefined;
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
  if (plan.atMost <= cap) return gather(db, plan, limit);
  const guess = await guessMatches(db, plan);
  const isPlenty = await hasPlenty(db, plan, guess.all);
  if (guess.others > cap) {
    const ids = await firstInOrder(db, plan, limit, lookAtMost);
    if (ids.length === limit) {
      return { ids, matches: isPlenty ? capped : await countMatches(db, plan, 'indexed') };
    }
  }
  return isPlenty ? { ids: await firstOfAll(db, plan, limit), matches: capped } : gather(db, plan, limit);
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
const withOthers = ({ parts, matching }: SearchPlan) =>
  sql`with others as materialized (${(parts?.others ?? matching)('indexed')})`;

/** Of what stands in a row, no more than is asked for. */
const selectFirst = ({ parts, order }: SearchPlan, limit: number) => sql`
  select id
  from (${parts ? sql`(${parts.inARow} order by ${order} limit ${limit}) union all` : sql``} table others) as found
  order by ${order} limit ${limit}`;

async function firstOfAll(db: Database, plan: SearchPlan, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    ${withOthers(plan)} ${selectFirst(plan, limit)} ${plannedAnew}`.execute(db);
  return rows.map((row) => row.id);
}

async function gather(db: Database, plan: SearchPlan, limit: number): Promise<Found> {
  const inARow = plan.parts
    ? sql`(select count(*) from (${plan.parts.inARow} limit ${cap + 1}) as in_a_row)`
    : sql`0`;
  const { rows } = await sql<{ count: number; ids: string[] }>`
    ${withOthers(plan)}
    select ${plannedAnew} (select count(*) from others) + ${inARow} as count,
      array(${selectFirst(plan, limit)}) as ids`.execute(db);
  const [found = { count: 0, ids: [] }] = rows;
  return { ids: found.ids.map(Number), matches: matchesOf(found.count) };
}

/** Reads no further than anybody wants to know. */
async function countMatches(db: Database, plan: SearchPlan, form: Form): Promise<Matches> {
  const { rows } = await sql<{ count: number }>`
    select ${plannedAnew} count(*) as count
    from (select from (${plan.matching(form)}) as matching limit ${cap + 1}) as counted`.execute(db);
  return matchesOf(rows[0]?.count ?? 0);
}

type Node = { 'Node Type': string; 'Plan Rows': number; Plans?: Node[] };

/** The planner's guess: good for one filter, and off by any factor for several together. */
async function guessMatches(db: Database, plan: SearchPlan): Promise<{ all: number; others: number }> {
  const matching = plan.parts
    ? sql`${plan.parts.inARow} union all ${plan.parts.others('plain')}`
    : plan.matching('plain');
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Node }] }>`
    explain (format json) select ${plannedAnew} from (${matching}) as matching`.execute(db);
  const top = rows[0]?.['QUERY PLAN'][0].Plan;
  const others = top?.['Node Type'] === 'Append' ? top.Plans?.at(-1) : top;
  return { all: top?.['Plan Rows'] ?? 0, others: others?.['Plan Rows'] ?? 0 };
}

/**
 * Whether there are far more than are ever counted: three times as many, also if all that changed since statistics
 * were made had been matches. A guess of the planner has to stand on a dozen of the 400 samples that it is made of.
 * What is known better may have been read a while ago: a fresh guess must not speak against it.
 */
async function hasPlenty(db: Database, plan: SearchPlan, guess: number): Promise<boolean> {
  const known = guess >= 1.5 * cap ? plan.expected : undefined;
  const expected = known ?? (plan.isGuessGood ? guess : 0);
  if (expected < 3 * cap) return false;
  const { rows } = await sql<{ records: number; changes: number }>`
    select reltuples as records, pg_stat_get_mod_since_analyze(oid) as changes
    from pg_class where oid = ${sql.lit(plan.table)}::regclass`.execute(db);
  const [{ records, changes } = { records: 0, changes: 0 }] = rows;
  return expected - changes >= Math.max(3 * cap, known === undefined ? records * (12 / 400) : 0);
}

import { limits } from '@customer-database/contract/limits';
import { type RawBuilder, sql } from 'kysely';
import { type Database, plannedAnew } from './client.ts';
import type { Expected, Form } from './filters.ts';
import { forgetStatistics, statisticsMade } from './trigrams.ts';
import { inTurn } from './turns.ts';

export type SearchPlan = {
  table: 'customers' | 'documents';
  /** How many filters have to look into each record. */
  filters: number;
  /** So many may match, by what is known of the terms. */
  atMost: number;
  /** About so many do, where that is known better than by the planner's guess. */
  expected?: Expected | undefined;
  /** Whether the planner's guess can be trusted: not where it multiplies what depends on each other. */
  isGuessGood: boolean;
  /** The ids of all matches and what they are ordered by, in no order. */
  matching: (form: Form) => RawBuilder<unknown>;
  /** The same in two parts, where an index has one of them in a row: that, in order, and the others. */
  parts?: SearchParts | undefined;
  /** The ids of the matches among the first `lookAt` records, in order. */
  inOrder: (lookAt: number) => RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  /** How many there are, where nothing is filtered out. */
  total: (() => Promise<number>) | undefined;
};

/** The id and what is ordered by, or the record as in the answer and what is ordered by. */
export type Selection = 'keys' | 'records';

type SearchParts = {
  inARow: (what: Selection) => RawBuilder<unknown>;
  others: (what: Selection, form: Form) => RawBuilder<unknown>;
  expectedOthers: Expected | undefined;
};

/** The ids as one value: the text of the statement is the same for any number of them. */
export const anyOf = (ids: number[]) => sql<number>`any(${ids}::bigint[])`;

export type Matches = { count: number; isCapped: boolean };
/** With the records where they were read anyway. */
export type Found<Row> = { ids: number[]; records?: Row[]; matches: Matches };

const cap = limits.maxSearchCount;
const capped: Matches = { count: cap, isCapped: true };
const matchesOf = (count: number): Matches => (count > cap ? capped : { count, isCapped: false });

// Some ten milliseconds' worth of records; where one in eighty matches, they fill the largest answer.
const lookAtMost = 40_000;

/** Reads on from `offset` by finding what comes before it too: there are at most as many as are counted. */
export async function search<Row extends { id: number }>(
  db: Database,
  plan: SearchPlan,
  { limit, offset }: { limit: number; offset: number },
): Promise<Found<Row>> {
  const { ids, records, matches } = await inTurn(db, () =>
    findMatches<Row>(db, plan, limit === 0 ? 0 : offset + limit),
  );
  return { ids: ids.slice(offset), ...(records && { records: records.slice(offset) }), matches };
}

/**
 * The first matches in order, and how many there are, at a cost that hardly grows with the data.
 * Where many match, going through the records in order soon has enough; where few do, an index leads
 * to all of them, which are then counted and sorted.
 */
async function findMatches<Row extends { id: number }>(
  db: Database,
  plan: SearchPlan,
  limit: number,
): Promise<Found<Row>> {
  if (plan.filters === 0) return searchRange(db, plan, limit);
  if (plan.atMost <= cap) return gather(db, plan, limit);
  const guess = expectedMatches(plan) ?? (await guessMatches(db, plan));
  const isPlenty = await hasPlenty(db, plan, guess.all);
  if (guess.others > cap) {
    const ids = await firstInOrder(db, plan, limit, lookAtMost);
    if (ids.length === limit) {
      return { ids, matches: isPlenty ? capped : await countMatches(db, plan, 'indexed') };
    }
  }
  if (!isPlenty) return gather(db, plan, limit);
  if (!plan.parts) return { ids: await firstOfAll(db, plan, limit), matches: capped };
  const records = await firstRecords<Row>(db, plan, plan.parts, limit);
  return { ids: records.map(({ id }) => id), records, matches: capped };
}

/** All that match are next to each other in the order. */
async function searchRange(db: Database, plan: SearchPlan, limit: number): Promise<Found<never>> {
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

/** With an offset, though of nothing, the planner goes for all matches and not for the first few. */
const allOf = (matching: RawBuilder<unknown>) => sql`(${matching} offset 0)`;

async function firstOfAll(db: Database, plan: SearchPlan, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select ${plannedAnew} id from ${allOf(plan.matching('indexed'))} as found
    order by ${plan.order} limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** Of what stands in a row, no more than is asked for. */
const startOf = (inARow: RawBuilder<unknown>, { order }: SearchPlan, limit: number) =>
  sql`(${inARow} order by ${order} limit ${limit})`;

/** At once, as the others have to be read for their order. */
async function firstRecords<Row>(
  db: Database,
  plan: SearchPlan,
  parts: SearchParts,
  limit: number,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${plannedAnew} *
    from (
      ${startOf(parts.inARow('records'), plan, limit)} union all ${allOf(parts.others('records', 'indexed'))}
    ) as found
    order by ${plan.order} limit ${limit}`.execute(db);
  return rows;
}

async function gather(db: Database, plan: SearchPlan, limit: number): Promise<Found<never>> {
  const { parts, matching, order } = plan;
  const inARow = parts?.inARow('keys');
  const countInARow = inARow ? sql`(select count(*) from (${inARow} limit ${cap + 1}) as in_a_row)` : sql`0`;
  const { rows } = await sql<{ count: number; ids: string[] }>`
    with others as materialized (${parts ? parts.others('keys', 'indexed') : matching('indexed')})
    select ${plannedAnew} (select count(*) from others) + ${countInARow} as count,
      array(
        select id
        from (${inARow ? sql`${startOf(inARow, plan, limit)} union all` : sql``} table others) as found
        order by ${order} limit ${limit}
      ) as ids`.execute(db);
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

type Guess = { all: number; others: number };

function expectedMatches({ expected, parts }: SearchPlan): Guess | undefined {
  const others = parts ? parts.expectedOthers : expected;
  return expected && others && { all: expected.matches, others: others.matches };
}

type Node = { 'Node Type': string; 'Plan Rows': number; Plans?: Node[] };

/** The planner's guess: good for one filter, and off by any factor for several together. */
async function guessMatches(db: Database, plan: SearchPlan): Promise<Guess> {
  const matching = plan.parts
    ? sql`${plan.parts.inARow('keys')} union all ${plan.parts.others('keys', 'plain')}`
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
 */
async function hasPlenty(db: Database, plan: SearchPlan, guess: number): Promise<boolean> {
  const { expected, isGuessGood } = plan;
  if (guess < 3 * cap || !(expected || isGuessGood)) return false;
  const { rows } = await sql<{ records: number; changes: number; as_of: string }>`
    select reltuples as records, pg_stat_get_mod_since_analyze(oid) as changes, ${statisticsMade('oid')} as as_of
    from pg_class where oid = ${sql.lit(plan.table)}::regclass`.execute(db);
  const [{ records, changes, as_of } = { records: 0, changes: 0, as_of: '' }] = rows;
  if (expected && expected.asOf !== as_of) {
    forgetStatistics(db);
    return false;
  }
  return guess - changes >= Math.max(3 * cap, expected ? 0 : records * (12 / 400));
}

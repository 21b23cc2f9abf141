import { limits } from '@customer-database/contract/limits';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from './client.ts';
import type { Schema } from './schema.ts';

/** Matches anywhere in the column, without regard to case or accents; wildcards are plain characters. */
export function contains(column: RawBuilder<unknown>, term: string): RawBuilder<boolean> {
  const literal = term.replace(/[\\%_]/g, '\\$&');
  return sql<boolean>`${column} like '%' || search_text(${literal}) || '%'`;
}

/** A phone number is matched by its digits however it is written. */
export function containsPhone(column: RawBuilder<unknown>, term: string): RawBuilder<boolean> {
  return contains(column, term.replace(/\D/g, '') || term);
}

export type Matches = { count: number; isCapped: boolean };

/** How many match in all, asked for only where the answer does not tell already. */
export async function countFound(
  found: { isUnfiltered: boolean; shown: number; limit: number },
  total: () => Promise<number>,
  count: () => Promise<Matches>,
): Promise<Matches> {
  if (found.isUnfiltered) return { count: await total(), isCapped: false };
  // An answer that is not full holds all there is.
  if (found.shown < found.limit) return { count: found.shown, isCapped: false };
  return count();
}

/** Counts what a query finds, but stops where nobody needs the exact number any more. */
export async function countMatches<TB extends keyof Schema, O>(
  db: Database,
  query: SelectQueryBuilder<Schema, TB, O>,
): Promise<Matches> {
  const bounded = query.select(sql`1`.as('one')).limit(limits.maxSearchCount + 1);
  const { rows } = await sql<{ count: number }>`select count(*) as count from (${bounded}) as found`.execute(
    db,
  );
  const count = rows[0]?.count ?? 0;
  return { count: Math.min(count, limits.maxSearchCount), isCapped: count > limits.maxSearchCount };
}

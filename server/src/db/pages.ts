import type { PageQuery } from '@customer-database/contract/fields';
import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Database } from './client.ts';
import { compiledOnce } from './compiled.ts';
import type { Noun } from './counts.ts';

const timeColumn = { customers: 'created_at', documents: 'uploaded_at' } as const;

type Range = { offset: number; limit: number };

function idsOf(noun: Noun, direction: 'asc' | 'desc', { offset, limit }: Range): RawBuilder<number> {
  const order = sql`${sql.ref(timeColumn[noun])} ${sql.raw(direction)}, id ${sql.raw(direction)}`;
  return sql<number>`any(array(
    select id from ${sql.table(noun)} order by ${order} offset ${offset} limit ${limit}))`;
}

/**
 * Returns a reader for a list, newest first. It finds a page through the index alone, from the nearer end, which
 * follows from `total`.
 */
export function pagesOf<Row>(
  noun: Noun,
  select: (db: Database, ids: RawBuilder<number>) => Compilable<Row>,
): (db: Database, page: PageQuery, total: number) => Promise<Row[]> {
  const fromNewest = compiledOnce((db, range: Range) => select(db, idsOf(noun, 'desc', range)));
  const fromOldest = compiledOnce((db, range: Range) => select(db, idsOf(noun, 'asc', range)));
  return async (db, { page, limit }, total) => {
    const skipped = (page - 1) * limit;
    const remaining = total - skipped - limit;
    if (skipped <= remaining) return fromNewest(db, { offset: skipped, limit });
    const start = Math.max(remaining, 0);
    const end = total - skipped;
    return end > start ? fromOldest(db, { offset: start, limit: end - start }) : [];
  };
}

import type { PageQuery } from '@customer-database/contract/fields';
import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Database } from './client.ts';
import { compiledOnce } from './compiled.ts';
import type { Noun } from './counts.ts';

const madeAt = { customers: 'created_at', documents: 'uploaded_at' } as const;

type Range = { offset: number; limit: number };

function idsOf(noun: Noun, direction: 'asc' | 'desc', { offset, limit }: Range): RawBuilder<number> {
  const order = sql`${sql.ref(madeAt[noun])} ${sql.raw(direction)}, id ${sql.raw(direction)}`;
  return sql<number>`any(array(
    select id from ${sql.table(noun)} order by ${order} offset ${offset} limit ${limit}))`;
}

/**
 * Makes the reader of a list, newest first. A page is reached by its index alone, from the end that is nearer: `total`
 * says which one that is.
 */
export function pagesOf<Row>(
  noun: Noun,
  select: (db: Database, ids: RawBuilder<number>) => Compilable<Row>,
): (db: Database, page: PageQuery, total: number) => Promise<Row[]> {
  const fromNewest = compiledOnce((db, range: Range) => select(db, idsOf(noun, 'desc', range)));
  const fromOldest = compiledOnce((db, range: Range) => select(db, idsOf(noun, 'asc', range)));
  return async (db, { page, limit }, total) => {
    const newer = (page - 1) * limit;
    const older = total - newer - limit;
    if (newer <= older) return fromNewest(db, { offset: newer, limit });
    const from = Math.max(older, 0);
    const upTo = total - newer;
    return upTo > from ? fromOldest(db, { offset: from, limit: upTo - from }) : [];
  };
}

import type { PageQuery } from '@customer-database/contract/fields';
import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Database } from './client.ts';
import { compiledOnce, type Parameter } from './compiled.ts';
import type { Noun } from './counts.ts';

const timeColumn = { customers: 'created_at', documents: 'uploaded_at' } as const;

/** Returns a reader for a list, newest first. The index alone skips the rows of earlier pages. */
export function pagesOf<Row>(
  noun: Noun,
  select: (db: Database, ids: RawBuilder<number>) => Compilable<Row>,
): (db: Database, page: PageQuery) => Promise<Row[]> {
  const read = compiledOnce((db, value: Parameter<{ offset: number; limit: number }>) =>
    select(
      db,
      sql<number>`any(array(
        select id from ${sql.table(noun)} order by ${sql.ref(timeColumn[noun])} desc, id desc
        offset ${value('offset')} limit ${value('limit')}))`,
    ),
  );
  return (db, { page, limit }) => read(db, { offset: (page - 1) * limit, limit });
}

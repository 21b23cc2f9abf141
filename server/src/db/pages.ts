import { setTimeout as delay } from 'node:timers/promises';
import type { PageQuery } from '@customer-database/contract/fields';
import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Database } from './client.ts';
import { compiledOnce } from './compiled.ts';
import type { Noun } from './counts.ts';
import { isLockTimeout } from './unavailable.ts';

const madeAt = { customers: 'created_at', documents: 'uploaded_at' } as const;

// Within this many records the way from the newest one is short enough.
const nearby = 4_000;

type Stretch = { before: number; limit: number };

/** Makes the reader of a list, newest first, of which any page costs about the same. */
export function pagesOf<Row>(
  noun: Noun,
  select: (db: Database, ids: RawBuilder<number>) => Compilable<Row>,
): (db: Database, page: PageQuery) => Promise<Row[]> {
  const readNear = compiledOnce((db, stretch: Stretch) => select(db, anyOf(selectNear(noun, stretch))));
  const readFar = compiledOnce((db, stretch: Stretch) => select(db, anyOf(selectFar(noun, stretch))));
  return (db, { page, limit }) => {
    const before = (page - 1) * limit;
    return (before <= nearby ? readNear : readFar)(db, { before, limit });
  };
}

const anyOf = (ids: RawBuilder<unknown>) => sql<number>`any(array(${ids}))`;

const newestFirst = (noun: Noun) => sql`order by ${sql.ref(madeAt[noun])} desc, id desc`;

function selectNear(noun: Noun, { before, limit }: Stretch): RawBuilder<unknown> {
  return sql`select id from ${sql.table(noun)} ${newestFirst(noun)} offset ${before} limit ${limit}`;
}

/** From the mark before it; there may be none yet. */
function selectFar(noun: Noun, { before, limit }: Stretch): RawBuilder<unknown> {
  return sql`
    with start as materialized (
      select made_at, id, skip from page_start(${sql.lit(noun)}, ${before})
      union all
      select 'infinity', ${sql.lit(Number.MAX_SAFE_INTEGER)}, ${before}
      limit 1
    )
    select id from ${sql.table(noun)}
    where (${sql.ref(madeAt[noun])}, id) <= (select made_at, id from start)
    ${newestFirst(noun)} offset (select greatest(skip, 0) from start) limit ${limit}`;
}

const marksAtOnce = 50;

/** Sets the marks that far pages are found by. Writers wait meanwhile, a few milliseconds each time. */
export async function markPages(db: Database, noun: Noun): Promise<void> {
  for (;;) {
    const added = await addMarks(db, noun).catch((error: unknown) => {
      // Somebody writes for longer, an import perhaps: the next run makes up for it.
      if (isLockTimeout(error)) return 0;
      throw error;
    });
    if (added < marksAtOnce) return;
    await delay(20);
  }
}

function addMarks(db: Database, noun: Noun): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '200ms'`.execute(tx);
    await sql`lock table ${sql.table(noun)} in share row exclusive mode`.execute(tx);
    const { rows } = await sql<{ added: number }>`
      select add_page_marks(${noun}, ${madeAt[noun]}, ${nearby}, ${marksAtOnce}) as added`.execute(tx);
    return rows[0]?.added ?? 0;
  });
}

import type { Database } from './client.ts';

export type Noun = 'customers' | 'documents';

/** How many there are, from the kept totals. */
export async function totalOf(db: Database, noun: Noun): Promise<number> {
  const row = await db
    .selectFrom('record_counts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('records'), eb.lit(0)).as('total'))
    .where('noun', '=', noun)
    .where('period', '=', '-infinity' as never)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/** How many of those there are were made since then, to the quarter of an hour. */
export async function madeSince(db: Database, noun: Noun, since: Date): Promise<number> {
  const row = await db
    .selectFrom('record_counts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('records'), eb.lit(0)).as('total'))
    .where('noun', '=', noun)
    .where('period', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

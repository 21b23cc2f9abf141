import type { Database } from './client.ts';
import { compiledOnce, type Parameter } from './compiled.ts';

export type Noun = 'customers' | 'documents';

const selectTotal = compiledOnce((db, value: Parameter<{ noun: Noun }>) =>
  db
    .selectFrom('record_counts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('records'), eb.lit(0)).as('total'))
    .where('noun', '=', value('noun'))
    .where('period', '=', '-infinity' as never),
);

/** Reads the total that triggers maintain. */
export async function totalOf(db: Database, noun: Noun): Promise<number> {
  const [row] = await selectTotal(db, { noun });
  return Number(row?.total ?? 0);
}

import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { customerFields } from '@customer-database/contract/customers';
import { stringify } from 'csv-stringify';
import type { Context } from '../../core/context.ts';
import type { Database } from '../../db/client.ts';
import { totalOf } from '../../db/counts.ts';
import { withOwnConnection } from '../../db/own-connection.ts';
import { recordActivity } from '../activity/commands.ts';
import { defuseFormula } from './csv.ts';
import { subjectOfMany } from './many.ts';

const columns = ['id', ...customerFields, 'created_at', 'updated_at'] as const;
const batchSize = 2_000;

export type ExportOptions = {
  /** Where it goes, as the activity log names it. */
  name: string;
  output: Writable;
  signal: AbortSignal;
  /** Told again and again how many were written, of how many. */
  onProgress?: (customers: number, total: number) => void;
};

/** Oldest first, a part at a time, each found by the last id of the one before. */
async function* allCustomers(db: Database, onBatch: (customers: number) => void): AsyncGenerator<string[]> {
  let lastId = 0;
  let count = 0;
  while (true) {
    const rows = await db
      .selectFrom('customers')
      .select(columns)
      .where('id', '>', lastId)
      .orderBy('id')
      .limit(batchSize)
      .execute();
    for (const row of rows) {
      const fields = customerFields.map((field) => defuseFormula(row[field] ?? ''));
      yield [String(row.id), ...fields, row.created_at.toISOString(), row.updated_at.toISOString()];
      lastId = row.id;
    }
    count += rows.length;
    onBatch(count);
    if (rows.length < batchSize) return;
  }
}

/** Writes all customers as they are at one moment. Answers with their number. */
export function exportCustomers(
  ctx: Context,
  { name, output, signal, onProgress }: ExportOptions,
): Promise<number> {
  return withOwnConnection(ctx.deps.pool, ({ db }) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (snapshot) => {
        const total = await totalOf(snapshot, 'customers');
        // Before the first byte leaves, and to stay even if the export breaks: no row, no data.
        await recordActivity(ctx, 'customers.exported', subjectOfMany(total), { file: name });
        const records = Readable.from(allCustomers(snapshot, (count) => onProgress?.(count, total)));
        await pipeline(records, stringify({ columns: [...columns], header: true }), output, { signal });
        return total;
      }),
  );
}

import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { customerFields } from '@customer-database/contract/customers';
import { stringify } from 'csv-stringify';
import type { Context } from '../../../core/context.ts';
import { escapeFormula } from '../../../core/csv-formulas.ts';
import type { Database } from '../../../db/client.ts';
import { totalOf } from '../../../db/counts.ts';
import { withOwnConnection } from '../../../db/own-connection.ts';
import { recordActivity } from '../../activity/commands.ts';
import { subjectOfCount } from '../commands.ts';

const columns = ['id', ...customerFields, 'created_at', 'updated_at'] as const;
const batchSize = 2_000;

export type ExportOptions = {
  /** The destination, as the activity log names it. */
  name: string;
  output: Writable;
  signal: AbortSignal;
  onProgress?: (customers: number, total: number) => void;
};

/** All customers by id, read in batches. */
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
      const fields = customerFields.map((field) => escapeFormula(row[field] ?? ''));
      yield [String(row.id), ...fields, row.created_at.toISOString(), row.updated_at.toISOString()];
      lastId = row.id;
    }
    count += rows.length;
    onBatch(count);
    if (rows.length < batchSize) return;
  }
}

/** Writes all customers of one snapshot and returns their number. */
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
        // Recorded before the first byte is written, and kept if the export fails.
        await recordActivity(ctx, 'customers.exported', subjectOfCount(total), { file: name });
        const records = Readable.from(allCustomers(snapshot, (count) => onProgress?.(count, total)));
        await pipeline(records, stringify({ columns: [...columns], header: true }), output, { signal });
        return total;
      }),
  );
}

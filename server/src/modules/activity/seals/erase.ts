import { type Context, inTransaction } from '../../../core/context.ts';
import { recordActivity } from '../commands.ts';
import { hashOfValues, macOfErasure } from './proof.ts';
import * as repo from './repo.ts';

const batchSize = 500;

async function eraseBatch(ctx: Context, customerId: number): Promise<number> {
  const rows = await repo.listRowsOfCustomer(ctx.db, customerId, batchSize);
  for (const row of rows) {
    const valuesHash = hashOfValues(row.salt, row);
    const mac = macOfErasure(ctx.deps.keys.activity, row.id, valuesHash);
    await repo.eraseValues(ctx.db, row.id, Buffer.concat([valuesHash, mac]));
  }
  return rows.length;
}

/**
 * Erases names, details, and old and new values from the rows about a customer and its documents. The rest of these
 * rows stays, and can still be verified.
 */
export async function eraseActivityOf(ctx: Context, customerId: number): Promise<number> {
  let rows = 0;
  for (let batch = 1; batch > 0; rows += batch) {
    batch = await inTransaction(ctx, (tx) => eraseBatch(tx, customerId));
  }
  const subject = { type: 'customer', id: customerId, label: null } as const;
  await recordActivity(ctx, 'activity.erased', subject, { rows });
  return rows;
}

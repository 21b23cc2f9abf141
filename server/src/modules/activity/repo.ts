import type { Insertable } from 'kysely';
import type { Database } from '../../db/client.ts';
import { compiledOnce, type Parameter } from '../../db/compiled.ts';
import type { Schema } from '../../db/schema.ts';

export const insertActivity = compiledOnce((db, value: Parameter<Insertable<Schema['activity']>>) =>
  db
    .insertInto('activity')
    .values({
      at: value('at'),
      action: value('action'),
      actor_id: value('actor_id'),
      actor_label: value('actor_label'),
      subject_type: value('subject_type'),
      subject_id: value('subject_id'),
      subject_label: value('subject_label'),
      address: value('address'),
      request_id: value('request_id'),
      detail: value('detail'),
      shown: value('shown'),
      customer_id: value('customer_id'),
      changes: value('changes'),
      salt: value('salt'),
      mac: value('mac'),
    })
    .returning('id'),
);

/** Counts a refusal until the next row of its key is due. Returns false then. */
export async function addToCount(db: Database, key: string, now: Date): Promise<boolean> {
  const counted = await db
    .updateTable('counted_refusals')
    .set((eb) => ({ more: eb('more', '+', 1) }))
    .where('key', '=', key)
    .where('next_row_at', '>', now)
    .executeTakeFirst();
  return counted.numUpdatedRows > 0n;
}

/** Ends a count whose row is due, and returns it. */
export async function takeDueCount(db: Database, key: string, now: Date): Promise<number> {
  const taken = await db
    .deleteFrom('counted_refusals')
    .where('key', '=', key)
    .where('next_row_at', '<=', now)
    .returning('more')
    .executeTakeFirst();
  return taken?.more ?? 0;
}

/** False if a concurrent request has started the count of this key. */
export async function startCount(
  db: Database,
  values: Insertable<Schema['counted_refusals']>,
): Promise<boolean> {
  const started = await db
    .insertInto('counted_refusals')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (started.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export function takeAllDueCounts(db: Database, now: Date) {
  return db
    .deleteFrom('counted_refusals')
    .where('next_row_at', '<=', now)
    .returning(['action', 'actor_id', 'actor_label', 'subject_type', 'address', 'more'])
    .execute();
}

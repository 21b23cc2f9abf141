import type { Insertable } from 'kysely';
import type { Database } from '../../../db/client.ts';
import type { Schema } from '../../../db/schema.ts';

export function findForwarded(db: Database) {
  return db.selectFrom('activity_forwarding').selectAll().executeTakeFirst();
}

export async function saveForwarded(
  db: Database,
  values: Insertable<Schema['activity_forwarding']>,
): Promise<void> {
  await db
    .insertInto('activity_forwarding')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute();
}

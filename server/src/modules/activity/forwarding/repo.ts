import type { Database } from '../../../db/client.ts';

/** Undefined before the first time. */
export async function findForwarded(db: Database): Promise<number | undefined> {
  const found = await db.selectFrom('activity_forwarding').select('through_id').executeTakeFirst();
  return found?.through_id;
}

export async function saveForwarded(db: Database, through_id: number): Promise<void> {
  await db
    .insertInto('activity_forwarding')
    .values({ through_id })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ through_id }))
    .execute();
}

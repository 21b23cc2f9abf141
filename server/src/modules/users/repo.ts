import { sql } from 'kysely';
import type { Database } from '../../db/client.ts';

/** Blocks other changes to users until the transaction ends. */
export async function lockUsers(db: Database): Promise<void> {
  await sql`lock table users in share row exclusive mode`.execute(db);
}

/** Locks every active admin, so that concurrent removals cannot both see 'one is left'. */
export async function lockActiveAdminIds(db: Database): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map((row) => row.id);
}

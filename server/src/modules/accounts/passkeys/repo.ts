import type { Insertable } from 'kysely';
import type { Database } from '../../../db/client.ts';
import type { Schema } from '../../../db/schema.ts';

export function listPasskeys(db: Database, userId: number) {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export type PasskeyRow = Awaited<ReturnType<typeof listPasskeys>>[number];

export function findPasskey(db: Database, credentialId: string): Promise<PasskeyRow | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();
}

export function insertPasskey(db: Database, values: Insertable<Schema['passkeys']>): Promise<PasskeyRow> {
  return db.insertInto('passkeys').values(values).returningAll().executeTakeFirstOrThrow();
}

export function renamePasskey(
  db: Database,
  userId: number,
  id: number,
  name: string,
): Promise<PasskeyRow | undefined> {
  return db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
}

export function deletePasskey(db: Database, userId: number, id: number): Promise<PasskeyRow | undefined> {
  return db
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
}

export async function deletePasskeysOf(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute();
}

export async function recordUse(db: Database, id: number, counter: number, now: Date): Promise<void> {
  await db.updateTable('passkeys').set({ counter, last_used_at: now }).where('id', '=', id).execute();
}

import type { Insertable } from 'kysely';
import type { Database } from '../../../db/client.ts';
import { compiledOnce, type Parameter } from '../../../db/compiled.ts';
import type { Schema } from '../../../db/schema.ts';
import { callerColumns, hasMfa } from '../repo.ts';

const columns = ['id', 'name', 'scope', 'created_at', 'expires_at', 'last_used_at', 'last_address'] as const;

export function listTokens(db: Database, userId: number) {
  return db
    .selectFrom('api_tokens')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export type TokenRow = Awaited<ReturnType<typeof listTokens>>[number];

export function insertToken(db: Database, values: Insertable<Schema['api_tokens']>): Promise<TokenRow> {
  return db.insertInto('api_tokens').values(values).returning(columns).executeTakeFirstOrThrow();
}

export function deleteToken(db: Database, userId: number, id: number): Promise<TokenRow | undefined> {
  return db
    .deleteFrom('api_tokens')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(columns)
    .executeTakeFirst();
}

export async function deleteTokensExpiredBefore(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('api_tokens').where('expires_at', '<', before).execute();
}

/** The user of a token, unless the token has expired or the user is disabled. */
export const selectTokenUser = compiledOnce((db, value: Parameter<{ token_hash: Buffer; now: Date }>) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .select([
      'api_tokens.id as token_id',
      'api_tokens.name as token_name',
      'api_tokens.scope',
      'api_tokens.has_second_factor',
      'api_tokens.last_used_at',
      'api_tokens.last_address',
      ...callerColumns,
    ])
    .select(hasMfa)
    .where('api_tokens.token_hash', '=', value('token_hash'))
    .where('api_tokens.expires_at', '>', value('now'))
    .where('users.disabled_at', 'is', null),
);

export async function markUsed(db: Database, id: number, now: Date, address: string): Promise<void> {
  await db
    .updateTable('api_tokens')
    .set({ last_used_at: now, last_address: address })
    .where('id', '=', id)
    .execute();
}

export function deleteTokensOf(db: Database, userId: number): Promise<{ id: number; name: string }[]> {
  return db.deleteFrom('api_tokens').where('user_id', '=', userId).returning(['id', 'name']).execute();
}

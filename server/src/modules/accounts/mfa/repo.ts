import type { Database } from '../../../db/client.ts';
import type { UserRow } from '../repo.ts';

export async function insertChallenge(
  db: Database,
  challenge: { token_hash: Buffer; user_id: number; expires_at: Date },
): Promise<void> {
  await db.insertInto('mfa_challenges').values(challenge).execute();
}

export function findChallengedUser(db: Database, tokenHash: Buffer, now: Date): Promise<UserRow | undefined> {
  return db
    .selectFrom('mfa_challenges')
    .innerJoin('users', 'users.id', 'mfa_challenges.user_id')
    .selectAll('users')
    .where('mfa_challenges.token_hash', '=', tokenHash)
    .where('mfa_challenges.expires_at', '>', now)
    .where('mfa_challenges.used_at', 'is', null)
    .executeTakeFirst();
}

/** Counts an attempt. False if none is left. */
export async function countChallengeAttempt(db: Database, tokenHash: Buffer, max: number): Promise<boolean> {
  const result = await db
    .updateTable('mfa_challenges')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .where('attempts', '<', max)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** False when it was used before. */
export async function consumeChallenge(db: Database, tokenHash: Buffer, now: Date): Promise<boolean> {
  const result = await db
    .updateTable('mfa_challenges')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function deleteExpiredChallenges(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('mfa_challenges').where('expires_at', '<', now).execute();
}

/** Whether the user has an app or a passkey. */
export async function hasFactor(db: Database, userId: number): Promise<boolean> {
  const owner = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where((eb) =>
      eb.or([
        eb('mfa_secret', 'is not', null),
        eb.exists(eb.selectFrom('passkeys').select('id').whereRef('passkeys.user_id', '=', 'users.id')),
      ]),
    )
    .executeTakeFirst();
  return owner !== undefined;
}

/** False when MFA is already on. */
export async function savePendingSecret(db: Database, userId: number, secret: Buffer): Promise<boolean> {
  const result = await db
    .updateTable('users')
    .set({ mfa_pending_secret: secret })
    .where('id', '=', userId)
    .where('mfa_secret', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** False when MFA is already on or another secret has replaced this one. */
export async function activateSecret(
  db: Database,
  userId: number,
  pending: Buffer,
  { step, now }: { step: number; now: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('users')
    // `mfa_last_step` consumes the confirming code too.
    .set({ mfa_secret: pending, mfa_pending_secret: null, mfa_last_step: step, updated_at: now })
    .where('id', '=', userId)
    .where('mfa_secret', 'is', null)
    .where('mfa_pending_secret', '=', pending)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** False when the code of this step was used before; of concurrent requests exactly one succeeds. */
export async function consumeTotpStep(
  db: Database,
  user: { id: number; mfa_secret: Buffer },
  step: number,
): Promise<boolean> {
  const result = await db
    .updateTable('users')
    .set({ mfa_last_step: step })
    .where('id', '=', user.id)
    .where('mfa_secret', '=', user.mfa_secret)
    .where((eb) => eb.or([eb('mfa_last_step', 'is', null), eb('mfa_last_step', '<', step)]))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Like `consumeTotpStep`. */
export async function consumeRecoveryCode(
  db: Database,
  userId: number,
  codeHash: Buffer,
  now: Date,
): Promise<boolean> {
  const result = await db
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function deleteRecoveryCodes(db: Database, userId: number): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

export async function insertRecoveryCodes(db: Database, userId: number, hashes: Buffer[]): Promise<void> {
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash, used_at: null })))
    .execute();
}

import { scopesOf } from '@customer-database/contract/permissions';
import type { ApiTokenInput } from '@customer-database/contract/tokens';
import { inTransaction, type SignedIn, type SignedInContext } from '../../../core/context.ts';
import type { Deps } from '../../../core/deps.ts';
import { hashToken, randomToken } from '../../../crypto/tokens.ts';
import type { Database } from '../../../db/client.ts';
import { AppError, fieldError } from '../../../http/errors.ts';
import { recordActivity, type Subject } from '../../activity/commands.ts';
import { requireRecentConfirmation } from '../access-rules.ts';
import { enqueueNotice } from '../notices/notice.ts';
import { lockExistingUser } from '../repo.ts';
import * as repo from './repo.ts';

/** Distinguishes API tokens from session tokens, also for programs that scan for leaked secrets. */
const tokenPrefix = 'cdb_';
const maxTokens = 50;
const lastUsedIntervalMs = 30_000;
const dayMs = 24 * 3_600_000;

/** Expired tokens stay in the list this long, so that their user sees why a program stopped. */
const retentionMs = 30 * dayMs;

const subjectOf = ({ id, name }: { id: number; name: string }): Subject => ({
  type: 'token',
  id,
  label: name,
});

export function listTokens(ctx: SignedInContext): Promise<repo.TokenRow[]> {
  return repo.listTokens(ctx.db, ctx.signedIn.user.id);
}

export type CreatedToken = { token: string; row: repo.TokenRow };

export async function createToken(
  ctx: SignedInContext,
  { name, scope, expires_in_days }: ApiTokenInput,
): Promise<CreatedToken> {
  requireRecentConfirmation(ctx);
  const { user, hasSecondFactor } = ctx.signedIn;
  const allowed = scopesOf(user.role);
  if (!allowed.includes(scope)) throw fieldError('scope', `Your role allows only ${allowed.join(', ')}`);
  const token = `${tokenPrefix}${randomToken()}`;
  const now = ctx.deps.clock.now();
  const row = await inTransaction(ctx, async (tx) => {
    // The lock makes concurrent requests count each other's token.
    const account = await lockExistingUser(tx.db, user.id);
    if ((await repo.listTokens(tx.db, user.id)).length >= maxTokens)
      throw new AppError('CONFLICT', `You have ${maxTokens} tokens already. Revoke one first.`);
    const saved = await repo.insertToken(tx.db, {
      user_id: user.id,
      name,
      scope,
      token_hash: hashToken(token),
      has_second_factor: hasSecondFactor,
      created_at: now,
      expires_at: new Date(now.getTime() + expires_in_days * dayMs),
    });
    await enqueueNotice(tx, account, 'token', { Token: name, Scope: scope });
    await recordActivity(tx, 'token.created', subjectOf(saved), { scope, expires_in_days });
    return saved;
  });
  return { token, row };
}

export async function revokeToken(ctx: SignedInContext, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const token = await repo.deleteToken(tx.db, tx.signedIn.user.id, id);
    if (!token) throw new AppError('NOT_FOUND', 'This token has been revoked already');
    await recordActivity(tx, 'token.revoked', subjectOf(token));
  });
}

/** Call it in the transaction of the change. */
export async function revokeOwnTokens(ctx: SignedInContext): Promise<void> {
  for (const token of await repo.deleteTokensOf(ctx.db, ctx.signedIn.user.id))
    await recordActivity(ctx, 'token.revoked', subjectOf(token));
}

export const isApiToken = (token: string) => token.startsWith(tokenPrefix);

export async function findTokenUser(
  deps: Deps,
  token: string,
  address: string,
): Promise<SignedIn | undefined> {
  const now = deps.clock.now();
  const [row] = await repo.selectTokenUser(deps.db, { token_hash: hashToken(token), now });
  if (!row) return undefined;
  const isLastUseOld = now.getTime() - (row.last_used_at?.getTime() ?? 0) > lastUsedIntervalMs;
  if (isLastUseOld || row.last_address !== address) await repo.markUsed(deps.db, row.token_id, now, address);
  const { id, name, email, phone_number, role, must_change_password } = row;
  const mfa_enabled = Boolean(row.mfa_enabled);
  return {
    sessionId: 0,
    token: { id: row.token_id, name: row.token_name, scope: row.scope },
    // Never: a program cannot prove that its user is present.
    confirmedAt: new Date(0),
    hasSecondFactor: row.has_second_factor,
    linkGeneration: row.link_generation,
    user: { id, name, email, phone_number, role, must_change_password, mfa_enabled },
  };
}

export const deletePastTokens = (db: Database, now: Date): Promise<void> =>
  repo.deleteTokensExpiredBefore(db, new Date(now.getTime() - retentionMs));

import type { Role } from '@customer-database/contract/permissions';
import { type Context, inTransaction } from '../../../core/context.ts';
import { hashPassword } from '../../../crypto/passwords.ts';
import { randomToken } from '../../../crypto/tokens.ts';
import { isUniqueViolation } from '../../../db/unavailable.ts';
import { AppError } from '../../../http/errors.ts';
import { recordActivity } from '../../activity/commands.ts';
import { enqueueNotice } from '../notices/notice.ts';
import * as accounts from '../repo.ts';
import { endAllAccess } from '../sessions/repo.ts';
import { lockUserToManage, subjectOf } from '../user.ts';
import { updateUser } from '../users/commands.ts';
import { removeSecondFactors } from '../users/reset-credentials.ts';
import type { OidcUser } from './claims.ts';

export const oidcActor = { id: null, label: 'company sign-in' };

/** Random and discarded, so that the account has no password that works. */
const discardedPassword = () => hashPassword(randomToken());

/** A sign-in through the company replaces the temporary password of an invitation. */
async function columnsWithoutTemporaryPassword(ctx: Context, user: accounts.UserRow) {
  if (user.password_expires_at === null && !user.must_change_password) return {};
  return {
    password_hash: await discardedPassword(),
    password_expires_at: null,
    must_change_password: false,
    joined_at: user.joined_at ?? ctx.deps.clock.now(),
  };
}

const isExpiredInvitation = (user: accounts.UserRow, now: Date) =>
  user.joined_at === null && user.password_expires_at !== null && user.password_expires_at <= now;

/** The email that the user chose may belong to another person: removes all credentials set so far. */
async function removeOwnCredentials(ctx: Context, { id }: accounts.UserRow) {
  await endAllAccess(ctx.db, id, ctx.deps.clock.now());
  await removeSecondFactors(ctx, id);
  return { password_hash: await discardedPassword(), chose_email: false };
}

/**
 * Links the account that has this email, unless it is linked to another subject of the same provider. After a change of
 * the provider, the email links accounts again.
 */
async function linkByEmail(ctx: Context, oidcUser: OidcUser, email: string) {
  const found = await accounts.findUserByEmail(ctx.db, email);
  const user = found && (await accounts.lockUser(ctx.db, found.id));
  if (!user || user.disabled_at) return undefined;
  if (user.company_issuer === oidcUser.issuer) {
    // Linked by a concurrent sign-in in another tab.
    return user.company_subject === oidcUser.subject ? user : undefined;
  }
  if (isExpiredInvitation(user, ctx.deps.clock.now())) return undefined;
  const linked = await accounts.updateUser(ctx.db, user.id, {
    ...(user.chose_email && (await removeOwnCredentials(ctx, user))),
    company_issuer: oidcUser.issuer,
    company_subject: oidcUser.subject,
    updated_at: ctx.deps.clock.now(),
  });
  await enqueueNotice(ctx, user, 'company');
  await recordActivity({ ...ctx, actor: oidcActor }, 'user.company_linked', subjectOf(linked));
  return linked;
}

async function provision(ctx: Context, oidcUser: OidcUser, email: string): Promise<accounts.UserRow> {
  const now = ctx.deps.clock.now();
  const user = await accounts.insertUser(ctx.db, {
    email: accounts.normalizeEmail(email),
    name: oidcUser.name ?? email.slice(0, email.lastIndexOf('@')),
    role: 'staff',
    password_hash: await discardedPassword(),
    company_issuer: oidcUser.issuer,
    company_subject: oidcUser.subject,
    joined_at: now,
    created_at: now,
    updated_at: now,
  });
  await recordActivity({ ...ctx, actor: oidcActor }, 'user.provisioned', subjectOf(user), {
    role: 'staff',
  });
  return user;
}

async function findOrCreate(ctx: Context, oidcUser: OidcUser): Promise<accounts.UserRow | undefined> {
  const known = await accounts.lockLinkedUser(ctx.db, oidcUser.issuer, oidcUser.subject);
  if (known) return known.disabled_at ? undefined : known;
  const { email } = oidcUser;
  if (email === undefined) return undefined;
  const linked = await linkByEmail(ctx, oidcUser, email);
  if (linked) return linked;
  const isFree = (await accounts.findUserByEmail(ctx.db, email)) === undefined;
  return isFree && ctx.deps.config.oidc?.provisions ? provision(ctx, oidcUser, email) : undefined;
}

/** With OIDC_ADMIN_GROUP, each sign-in sets the role. */
async function applyAdminGroup(ctx: Context, user: accounts.UserRow, groups: string[]): Promise<void> {
  const { adminGroup } = ctx.deps.config.oidc ?? {};
  if (adminGroup === undefined) return;
  const role: Role = groups.includes(adminGroup) ? 'admin' : 'staff';
  if (user.role === role) return;
  try {
    await updateUser({ ...ctx, actor: oidcActor }, user.id, { role });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'LAST_ADMIN')) throw error;
    ctx.deps.log.warn({ user_id: user.id }, 'the last administrator is no longer in OIDC_ADMIN_GROUP');
  }
}

const admitOnce = (ctx: Context, oidcUser: OidcUser): Promise<accounts.UserRow | undefined> =>
  inTransaction(ctx, async (tx) => {
    const found = await findOrCreate(tx, oidcUser);
    if (!found) return undefined;
    const changes = await columnsWithoutTemporaryPassword(tx, found);
    return Object.keys(changes).length > 0 ? accounts.updateUser(tx.db, found.id, changes) : found;
  });

const isTaken = (error: unknown) =>
  isUniqueViolation(error, 'users_email_key') || isUniqueViolation(error, 'users_company_identity');

/** Undefined if the user has no account and may not get one. */
export async function admitOidcUser(ctx: Context, oidcUser: OidcUser): Promise<accounts.UserRow | undefined> {
  const user = await admitOnce(ctx, oidcUser).catch((error: unknown) => {
    // A concurrent sign-in created or linked the account.
    if (isTaken(error)) return admitOnce(ctx, oidcUser);
    throw error;
  });
  if (user) await applyAdminGroup(ctx, user, oidcUser.groups);
  return user;
}

/** For a user whose subject at the provider changed: the next sign-in links by the email again. */
export async function unlinkOidcUser(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const user = await lockUserToManage(tx, id);
    const columns = { company_issuer: null, company_subject: null, updated_at: tx.deps.clock.now() };
    await accounts.updateUser(tx.db, id, columns);
    await endAllAccess(tx.db, id, tx.deps.clock.now());
    await recordActivity(tx, 'user.company_unlinked', subjectOf(user));
  });
}

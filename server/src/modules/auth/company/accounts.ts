import type { Role } from '@customer-database/contract/permissions';
import { type Context, inTransaction } from '../../../core/context.ts';
import { hashPassword } from '../../../crypto/passwords.ts';
import { randomToken } from '../../../crypto/tokens.ts';
import { isUniqueViolation } from '../../../db/unavailable.ts';
import { AppError } from '../../../http/errors.ts';
import { recordActivity } from '../../activity/commands.ts';
import { subjectOf } from '../../identity/commands.ts';
import * as accounts from '../../identity/repo.ts';
import { lockUserToManage, updateUser } from '../../users/manage.ts';
import { enqueueNotice } from '../../users/notice.ts';
import { removeSecondFactors } from '../reset-credentials.ts';
import type { CompanyUser } from './claims.ts';
import * as repo from './repo.ts';

export const companyActor = { id: null, label: 'company sign-in' };

/** Nobody signs in with it: it is not told to anybody. */
const unknownPassword = () => hashPassword(randomToken());

/** A temporary password has done its work, or will never be needed. */
async function withoutTemporaryPassword(ctx: Context, user: accounts.UserRow) {
  if (user.password_expires_at === null && !user.must_change_password) return {};
  return {
    password_hash: await unknownPassword(),
    password_expires_at: null,
    must_change_password: false,
    joined_at: user.joined_at ?? ctx.deps.clock.now(),
  };
}

const isExpiredInvitation = (user: accounts.UserRow, now: Date) =>
  user.joined_at === null && user.password_expires_at !== null && user.password_expires_at <= now;

/** Whoever chose the address may be somebody else: nothing of theirs opens the account any more. */
async function endOtherWaysIn(ctx: Context, { id }: accounts.UserRow) {
  await accounts.endAllAccess(ctx.db, id, ctx.deps.clock.now());
  await removeSecondFactors(ctx, id);
  return { password_hash: await unknownPassword(), chose_email: false };
}

/**
 * An invited address, or one that is in use, becomes this person's; never one that is another person's already. After a
 * change of the provider everybody begins anew.
 */
async function linkByEmail(ctx: Context, company: CompanyUser, email: string) {
  const found = await accounts.findUserByEmail(ctx.db, email);
  const user = found && (await accounts.lockUser(ctx.db, found.id));
  if (!user || user.disabled_at) return undefined;
  if (user.company_issuer === company.issuer) {
    // Linked a moment ago, by a sign-in in another tab.
    return user.company_subject === company.subject ? user : undefined;
  }
  if (isExpiredInvitation(user, ctx.deps.clock.now())) return undefined;
  const linked = await accounts.updateUser(ctx.db, user.id, {
    ...(user.chose_email && (await endOtherWaysIn(ctx, user))),
    company_issuer: company.issuer,
    company_subject: company.subject,
    updated_at: ctx.deps.clock.now(),
  });
  await enqueueNotice(ctx, user, 'company');
  await recordActivity({ ...ctx, actor: companyActor }, 'user.company_linked', subjectOf(linked));
  return linked;
}

async function provision(ctx: Context, company: CompanyUser, email: string): Promise<accounts.UserRow> {
  const now = ctx.deps.clock.now();
  const user = await accounts.insertUser(ctx.db, {
    email: accounts.normalizeEmail(email),
    name: company.name ?? email.slice(0, email.lastIndexOf('@')),
    role: 'staff',
    password_hash: await unknownPassword(),
    company_issuer: company.issuer,
    company_subject: company.subject,
    joined_at: now,
    created_at: now,
    updated_at: now,
  });
  await recordActivity({ ...ctx, actor: companyActor }, 'user.provisioned', subjectOf(user), {
    role: 'staff',
  });
  return user;
}

async function findOrMake(ctx: Context, company: CompanyUser): Promise<accounts.UserRow | undefined> {
  const known = await repo.lockLinkedUser(ctx.db, company);
  if (known) return known.disabled_at ? undefined : known;
  const { email } = company;
  if (email === undefined) return undefined;
  const linked = await linkByEmail(ctx, company, email);
  if (linked) return linked;
  const isFree = (await accounts.findUserByEmail(ctx.db, email)) === undefined;
  return isFree && ctx.deps.config.companySignIn?.provisions ? provision(ctx, company, email) : undefined;
}

/** Where a group decides about administrators, the role follows it with each sign-in. */
async function followGroup(ctx: Context, user: accounts.UserRow, groups: string[]): Promise<void> {
  const { adminGroup } = ctx.deps.config.companySignIn ?? {};
  if (adminGroup === undefined) return;
  const role: Role = groups.includes(adminGroup) ? 'admin' : 'staff';
  if (user.role === role) return;
  try {
    await updateUser({ ...ctx, actor: companyActor }, user.id, { role });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'LAST_ADMIN')) throw error;
    ctx.deps.log.warn({ user_id: user.id }, 'the last administrator is no longer in OIDC_ADMIN_GROUP');
  }
}

const admitOnce = (ctx: Context, company: CompanyUser): Promise<accounts.UserRow | undefined> =>
  inTransaction(ctx, async (tx) => {
    const found = await findOrMake(tx, company);
    if (!found) return undefined;
    const changes = await withoutTemporaryPassword(tx, found);
    return Object.keys(changes).length > 0 ? accounts.updateUser(tx.db, found.id, changes) : found;
  });

const isTaken = (error: unknown) =>
  isUniqueViolation(error, 'users_email_key') || isUniqueViolation(error, 'users_company_identity');

/** The account of somebody whom the provider knows; undefined when there is none for them. */
export async function admitCompanyUser(
  ctx: Context,
  company: CompanyUser,
): Promise<accounts.UserRow | undefined> {
  const user = await admitOnce(ctx, company).catch((error: unknown) => {
    // Somebody made an account at the same moment, perhaps this person in another tab.
    if (isTaken(error)) return admitOnce(ctx, company);
    throw error;
  });
  if (user) await followGroup(ctx, user, company.groups);
  return user;
}

/** For somebody whom the provider calls otherwise than before: the next sign-in goes by the address again. */
export async function unlinkCompanyUser(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const user = await lockUserToManage(tx, id);
    const columns = { company_issuer: null, company_subject: null, updated_at: tx.deps.clock.now() };
    await accounts.updateUser(tx.db, id, columns);
    await accounts.endAllAccess(tx.db, id, tx.deps.clock.now());
    await recordActivity(tx, 'user.company_unlinked', subjectOf(user));
  });
}

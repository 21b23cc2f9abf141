import type { InviteInput } from '@customer-database/contract/users';
import { type Context, inTransaction } from '../../core/context.ts';
import type { JobDeps } from '../../core/deps.ts';
import { hashPassword, verifyPassword } from '../../crypto/passwords.ts';
import { open, seal } from '../../crypto/secretbox.ts';
import { randomLegibleCode } from '../../crypto/tokens.ts';
import { isUniqueViolation } from '../../db/unavailable.ts';
import type { Job } from '../../jobs/job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { recordActivity } from '../activity/commands.ts';
import { subjectOf } from '../identity/commands.ts';
import * as accounts from '../identity/repo.ts';
import { emailTaken, requireAnotherAdmin } from './commands.ts';
import { sendMail } from './send-mail.ts';

const invitationTtlMs = 7 * 24 * 3_600_000;

const sealPurpose = (userId: number) => `invitation:${userId}`;

export type Invitation = {
  user: accounts.UserRow;
  delivery: 'mail' | 'handover';
  temporaryPassword: string | undefined;
};

/**
 * Creates the account with a temporary password. A second invitation replaces it, if the user never chose a
 * password or the temporary one has expired.
 */
export async function inviteUser(ctx: Context, input: InviteInput): Promise<Invitation> {
  const email = accounts.normalizeEmail(input.email);
  const temporaryPassword = randomLegibleCode(4);
  const password_hash = await hashPassword(temporaryPassword);
  const now = ctx.deps.clock.now();
  const account = {
    name: input.name ?? email.slice(0, email.lastIndexOf('@')),
    role: input.role,
    password_hash,
    password_expires_at: new Date(now.getTime() + invitationTtlMs),
    must_change_password: true,
    updated_at: now,
  };
  const byMail = ctx.deps.mailer !== undefined;

  const user = await inTransaction(ctx, async (tx) => {
    const found = await accounts.findUserByEmail(tx.db, email);
    // First: inviting the last administrator must say that the address is taken.
    if (found && !isOpenInvitation(found, now)) throw emailTaken();
    if (found?.role === 'admin' && input.role !== 'admin') await requireAnotherAdmin(tx, found);
    // Locked: a password chosen concurrently is either seen here or comes too late.
    const known = found && (await accounts.lockUser(tx.db, found.id));
    if (known && !isOpenInvitation(known, now)) throw emailTaken();
    if (known) await accounts.endSessions(tx.db, known.id, now);
    const saved = known
      ? await accounts.updateUser(tx.db, known.id, account)
      : await accounts.insertUser(tx.db, { ...account, email, created_at: now });
    if (byMail) {
      const sealed = seal(ctx.deps.keys.secretbox, sealPurpose(saved.id), temporaryPassword);
      const payload = { user_id: saved.id, sealed_password: sealed.toString('base64') };
      await enqueue(tx.db, sendInvitationJob, payload, `invitation:${saved.id}`);
    }
    await recordActivity(tx, 'user.invited', subjectOf(saved), {
      role: saved.role,
      again: known !== undefined,
    });
    return saved;
  }).catch((error: unknown) => {
    // Two admins invited the same address at once.
    throw isUniqueViolation(error, 'users_email_key') ? emailTaken() : error;
  });

  return byMail
    ? { user, delivery: 'mail', temporaryPassword: undefined }
    : { user, delivery: 'handover', temporaryPassword };
}

/** The user never chose a password, or has none that works. */
function isOpenInvitation(user: accounts.UserRow, now: Date): boolean {
  if (user.password_expires_at === null || user.disabled_at !== null) return false;
  return user.joined_at === null || user.password_expires_at <= now;
}

/** The password is sealed because the queue is stored. */
type InvitationMail = { user_id: number; sealed_password: string };

export const sendInvitationJob: Job<JobDeps, InvitationMail> = {
  name: 'send-invitation',
  run: sendInvitation,
};

/** Mails the password unless the invitation was used or replaced meanwhile. */
async function sendInvitation(deps: JobDeps, payload: InvitationMail): Promise<void> {
  const user = await accounts.findUserById(deps.db, payload.user_id);
  if (!user || !isOpenInvitation(user, deps.clock.now()) || !deps.mailer) return;
  const sealed = Buffer.from(payload.sealed_password, 'base64');
  const password = open(deps.keys.secretbox, sealPurpose(user.id), sealed);
  // A newer invitation may have replaced the password while this job was queued.
  if (!(await verifyPassword(user.password_hash, password))) return;
  await sendMail(deps, {
    to: user.email,
    subject: 'Your invitation to the customer database',
    // The same for every attempt, so that mail servers recognise a retry.
    messageId: `<invitation-${user.id}-${sealed.subarray(0, 12).toString('hex')}@customer-database>`,
    text: [
      `Hello ${user.name},`,
      '',
      'you have been invited to the customer database.',
      '',
      `Sign in at:          ${deps.publicUrl}/login`,
      `Email:               ${user.email}`,
      `Temporary password:  ${password}`,
      '',
      'The temporary password works for 7 days. You will be asked to choose your own.',
      '',
    ].join('\n'),
  });
}

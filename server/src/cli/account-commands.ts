import { email as emailSchema } from '@customer-database/contract/fields';
import { type Role, roles } from '@customer-database/contract/permissions';
import { updateUserInput } from '@customer-database/contract/users';
import type { Context } from '../core/context.ts';
import {
  createAdminWithTemporaryPassword,
  endSessionsOf,
  findUserIdByEmail,
  inviteUser,
  listAllUsers,
  resetMfa,
  resetPassword,
  setUserDisabled,
  unlinkOidcUser,
  unlock,
  updateUser,
  withdrawInvitation,
} from '../modules/accounts/commands.ts';
import { type Command, type ParsedArgs, UsageError } from './command.ts';

function printPassword(email: string, password: string): void {
  console.log(`Temporary password for ${email}: ${password}`);
  console.log('It works for 7 days and must be changed at the first sign-in.');
}

function roleOf(text: string | undefined): Role {
  const role = roles.find((known) => known === text);
  if (!role) throw new UsageError('The role must be staff or admin');
  return role;
}

function nameOf(text: string): string {
  const name = updateUserInput.shape.name.safeParse(text);
  if (!name.success || name.data === undefined) throw new UsageError(name.error?.issues[0]?.message ?? '');
  return name.data;
}

async function printUsers(ctx: Context): Promise<void> {
  const users = await listAllUsers(ctx);
  console.table(
    users.map((user) => ({
      email: user.email,
      name: user.name,
      role: user.role,
      mfa: user.mfa_enabled ? 'on' : 'off',
      state: user.state,
      last_seen: user.last_seen_at?.toISOString() ?? 'never',
    })),
  );
}

function emailOf({ command, operands: [address] }: ParsedArgs): string {
  if (address === undefined) throw new UsageError(`${command} needs an email address`);
  const email = emailSchema.safeParse(address);
  if (!email.success) throw new UsageError(`${address}: Invalid email address`);
  return email.data;
}

type Account = { id: number; email: string };

const accountCommand = (
  purpose: string,
  run: (ctx: Context, account: Account) => Promise<void>,
): Command => ({
  synopsis: 'EMAIL',
  purpose,
  operands: 1,
  prepare: (args) => {
    const email = emailOf(args);
    return async ({ ctx }) => run(ctx, { id: await findUserIdByEmail(ctx, email), email });
  },
});

const changeCommand = (
  synopsis: string,
  changeOf: (operand: string | undefined) => { role: Role } | { name: string },
): Command => ({
  synopsis,
  purpose: '',
  operands: 2,
  prepare: (args) => {
    const email = emailOf(args);
    const change = changeOf(args.operands[1]);
    return async ({ ctx }) => {
      await updateUser(ctx, await findUserIdByEmail(ctx, email), change);
      console.log(`${email} is now ${'role' in change ? change.role : `called ${change.name}`}.`);
    };
  },
});

export const accountCommands: Record<string, Command> = {
  'create-admin': {
    synopsis: 'EMAIL [--name NAME]',
    purpose: 'creates an administrator with a temporary password',
    operands: 1,
    options: { name: { type: 'string' } },
    prepare: (args) => {
      const email = emailOf(args);
      const name = nameOf(String(args.options.name ?? email.slice(0, email.lastIndexOf('@'))));
      return async ({ ctx }) =>
        printPassword(email, await createAdminWithTemporaryPassword(ctx, { email, name }));
    },
  },
  invite: {
    synopsis: 'EMAIL [--name NAME] [--role staff|admin]',
    purpose: 'invites a person, or repeats an open invitation',
    operands: 1,
    options: { name: { type: 'string' }, role: { type: 'string' } },
    prepare: (args) => {
      const email = emailOf(args);
      const role = roleOf(String(args.options.role ?? 'staff'));
      const name = args.options.name === undefined ? undefined : nameOf(String(args.options.name));
      return async ({ ctx }) => {
        const { delivered } = await inviteUser(ctx, { email, name, role });
        if (delivered.delivery === 'mail') console.log(`${email} gets an email.`);
        else if (delivered.temporaryPassword) printPassword(email, delivered.temporaryPassword);
        else console.log(`${email} can sign in with ${ctx.deps.config.oidc?.name} for 7 days.`);
      };
    },
  },
  'withdraw-invitation': accountCommand(
    'removes an account that was never used',
    async (ctx, { id, email }) => {
      await withdrawInvitation(ctx, id);
      console.log(`The invitation of ${email} is withdrawn.`);
    },
  ),
  'reset-password': accountCommand(
    'sets a temporary password; ends all sessions',
    async (ctx, { id, email }) => printPassword(email, await resetPassword(ctx, id)),
  ),
  'reset-mfa': accountCommand('switches MFA off; ends all sessions', async (ctx, { id, email }) => {
    await resetMfa(ctx, id);
    console.log(`MFA is off for ${email}. They can set it up again on their profile.`);
  }),
  'unlink-company': accountCommand(
    'the next OIDC sign-in finds the account by its email address again; ends all sessions',
    async (ctx, { id, email }) => {
      await unlinkOidcUser(ctx, id);
      console.log(`${email} is no longer linked to an account at the provider.`);
    },
  ),
  'end-sessions': accountCommand('ends all sessions', async (ctx, { id, email }) => {
    await endSessionsOf(ctx, id);
    console.log(`${email} is signed out everywhere.`);
  }),
  unlock: accountCommand('ends the delay after failed sign-ins', async (ctx, { id, email }) => {
    await unlock(ctx, id);
    console.log(`${email} can sign in again.`);
  }),
  disable: accountCommand('disables the account and ends its sessions', async (ctx, { id, email }) => {
    await setUserDisabled(ctx, id, true);
    console.log(`${email} is disabled.`);
  }),
  enable: accountCommand('', async (ctx, { id, email }) => {
    await setUserDisabled(ctx, id, false);
    console.log(`${email} is enabled.`);
  }),
  'set-role': changeCommand('EMAIL staff|admin', (role) => ({ role: roleOf(role) })),
  'set-name': changeCommand('EMAIL NAME', (name) => ({ name: nameOf(name ?? '') })),
  'list-users': {
    synopsis: '',
    purpose: '',
    operands: 0,
    prepare:
      () =>
      ({ ctx }) =>
        printUsers(ctx),
  },
};

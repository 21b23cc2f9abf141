import { email as emailSchema } from '@customer-database/contract/fields';
import { type Role, roles } from '@customer-database/contract/permissions';
import type { Context } from '../core/context.ts';
import {
  createAdminWithTemporaryPassword,
  resetMfa,
  resetPassword,
  unlock,
} from '../modules/auth/break-glass.ts';
import { listUsers } from '../modules/identity/repo.ts';
import { setUserDisabled, setUserRole } from '../modules/users/commands.ts';
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

async function printUsers(ctx: Context): Promise<void> {
  const users = await listUsers(ctx.db);
  console.table(
    users.map((user) => ({
      email: user.email,
      name: user.name,
      role: user.role,
      mfa: user.mfa_secret ? 'on' : 'off',
      state: user.disabled_at ? 'disabled' : user.must_change_password ? 'must change password' : 'active',
      last_sign_in: user.last_sign_in_at?.toISOString() ?? 'never',
    })),
  );
}

function emailOf({ command, operands: [address] }: ParsedArgs): string {
  if (address === undefined) throw new UsageError(`${command} needs an email address`);
  const email = emailSchema.safeParse(address);
  if (!email.success) throw new UsageError(`${address}: Invalid email address`);
  return email.data;
}

const aboutAccount = (purpose: string, run: (ctx: Context, email: string) => Promise<void>): Command => ({
  synopsis: 'EMAIL',
  purpose,
  operands: 1,
  prepare: (args) => {
    const email = emailOf(args);
    return ({ ctx }) => run(ctx, email);
  },
});

export const accountCommands: Record<string, Command> = {
  'create-admin': {
    synopsis: 'EMAIL [--name NAME]',
    purpose: 'a new administrator with a temporary password',
    operands: 1,
    options: { name: { type: 'string' } },
    prepare: (args) => {
      const email = emailOf(args);
      const name = String(args.options.name ?? email.slice(0, email.lastIndexOf('@')));
      return async ({ ctx }) =>
        printPassword(email, await createAdminWithTemporaryPassword(ctx, { email, name }));
    },
  },
  'reset-password': aboutAccount('a new temporary password; ends all sessions', async (ctx, email) =>
    printPassword(email, await resetPassword(ctx, email)),
  ),
  'reset-mfa': aboutAccount('switches MFA off; ends all sessions', async (ctx, email) => {
    await resetMfa(ctx, email);
    console.log(`MFA is off for ${email}. They can set it up again on their profile.`);
  }),
  unlock: aboutAccount('lifts the wait after failed sign-ins', async (ctx, email) => {
    await unlock(ctx, email);
    console.log(`${email} can try to sign in again.`);
  }),
  disable: aboutAccount('no sign-in any more; ends all sessions', async (ctx, email) => {
    await setUserDisabled(ctx, email, true);
    console.log(`${email} is disabled.`);
  }),
  enable: aboutAccount('', async (ctx, email) => {
    await setUserDisabled(ctx, email, false);
    console.log(`${email} is enabled.`);
  }),
  'set-role': {
    synopsis: 'EMAIL staff|admin',
    purpose: '',
    operands: 2,
    prepare: (args) => {
      const email = emailOf(args);
      const role = roleOf(args.operands[1]);
      return async ({ ctx }) => {
        await setUserRole(ctx, email, role);
        console.log(`${email} is now ${role}.`);
      };
    },
  },
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

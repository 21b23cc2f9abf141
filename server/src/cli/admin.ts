import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { email as emailSchema } from '@customer-database/contract/fields';
import { type Role, roles } from '@customer-database/contract/permissions';
import { ConfigError, readConfig } from '../config.ts';
import { type Context, systemContext } from '../context.ts';
import { createLog } from '../log.ts';
import {
  createAdminWithTemporaryPassword,
  resetMfa,
  resetPassword,
  unlock,
} from '../modules/auth/break-glass.ts';
import { listUsers } from '../modules/users/accounts.ts';
import { setUserDisabled, setUserRole } from '../modules/users/commands.ts';
import { openDeps } from '../open-deps.ts';
import { startupText } from '../startup-errors.ts';

const usage = `For whoever runs this machine. Every use is written into the activity log.

  npm run admin -- create-admin EMAIL [--name NAME]   a new administrator with a temporary password
  npm run admin -- reset-password EMAIL               a new temporary password; ends all sessions
  npm run admin -- reset-mfa EMAIL                    switches MFA off; ends all sessions
  npm run admin -- unlock EMAIL                       lifts the wait after failed sign-ins
  npm run admin -- disable EMAIL                      no sign-in any more; ends all sessions
  npm run admin -- enable EMAIL
  npm run admin -- set-role EMAIL staff|admin
  npm run admin -- list-users`;

class UsageError extends Error {}

type Arguments = { email: string; name: string | undefined; rest: string[] };

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

const commands: Record<string, (ctx: Context, args: Arguments) => Promise<void>> = {
  'create-admin': async (ctx, { email, name }) => {
    const input = { email, name: name ?? email.slice(0, email.lastIndexOf('@')) };
    printPassword(email, await createAdminWithTemporaryPassword(ctx, input));
  },
  'reset-password': async (ctx, { email }) => printPassword(email, await resetPassword(ctx, email)),
  'reset-mfa': async (ctx, { email }) => {
    await resetMfa(ctx, email);
    console.log(`MFA is off for ${email}. They can set it up again on their profile.`);
  },
  unlock: async (ctx, { email }) => {
    await unlock(ctx, email);
    console.log(`${email} can try to sign in again.`);
  },
  disable: async (ctx, { email }) => {
    await setUserDisabled(ctx, email, true);
    console.log(`${email} is disabled.`);
  },
  enable: async (ctx, { email }) => {
    await setUserDisabled(ctx, email, false);
    console.log(`${email} is enabled.`);
  },
  'set-role': async (ctx, { email, rest }) => {
    const role = roleOf(rest[0]);
    await setUserRole(ctx, email, role);
    console.log(`${email} is now ${role}.`);
  },
  'list-users': printUsers,
};

function readArguments(): { run: (ctx: Context, args: Arguments) => Promise<void>; args: Arguments } {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { name: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  const [name = '', given, ...rest] = positionals;
  const run = commands[name];
  if (!run || values.help) throw new UsageError(name === '' || values.help ? '' : `Unknown command: ${name}`);
  const email = emailSchema.safeParse(given);
  if (name !== 'list-users' && !email.success) {
    throw new UsageError(
      given === undefined ? `${name} needs an email address` : `${given}: Invalid email address`,
    );
  }
  return { run, args: { email: email.data ?? '', name: values.name, rest } };
}

async function main(): Promise<void> {
  const { run, args } = readArguments();
  const config = readConfig(process.env);
  const { deps, close } = await openDeps(config, createLog('error'), { asTool: true });
  try {
    await run(systemContext(deps, { id: null, label: `command line (${userInfo().username})` }), args);
  } finally {
    await close();
  }
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return [error.message, usage].filter(Boolean).join('\n\n');
  if (error instanceof ConfigError) return `Wrong setting: ${error.message}`;
  if (error instanceof TypeError && 'code' in error) return `${error.message}\n\n${usage}`;
  return startupText(error);
}

main().catch((error: unknown) => {
  console.error(explain(error));
  process.exitCode = 1;
});

import type { RegisterInput } from '@customer-database/contract/auth';
import { type Context, systemContext } from '../../../core/context.ts';
import type { Deps } from '../../../core/deps.ts';
import { fingerprint, isSameText, normalizeCode } from '../../../crypto/tokens.ts';
import { AppError } from '../../../http/errors.ts';
import { recordActivity } from '../../activity/commands.ts';
import { hasUsers, normalizeEmail, type UserRow } from '../repo.ts';
import { forgiveAttempts, reserveAttempts, setupAttempts } from '../throttle/throttle.ts';
import { createAdmin, registrationClosed } from '../users/create-admin.ts';

/**
 * Derived from the secret key, so that every instance prints the same code and none has to store it. The code is
 * useless once there is a user.
 */
export function setupCode(deps: Deps): string {
  const digits = fingerprint(deps.keys.setupCode, 'first administrator').toString('hex').slice(0, 24);
  return (digits.match(/.{6}/g) ?? []).join('-');
}

export async function needsFirstAdmin(deps: Deps): Promise<boolean> {
  return !(await hasUsers(deps.db));
}

export async function registerFirstAdmin(ctx: Context, input: RegisterInput): Promise<UserRow> {
  if (!(await needsFirstAdmin(ctx.deps))) throw registrationClosed();
  const attempts = setupAttempts(ctx);
  await reserveAttempts(ctx, attempts);
  if (!isSameText(normalizeCode(input.setup_code), normalizeCode(setupCode(ctx.deps)))) {
    const subject = { type: 'user', id: null, label: normalizeEmail(input.email) } as const;
    await recordActivity(ctx, 'credential.refused', subject, { factor: 'setup code' });
    const text = 'The setup code is not correct. The server prints it when it starts.';
    throw new AppError('WRONG_SETUP_CODE', text, { fields: { setup_code: text } });
  }
  const { name, email, password } = input;
  const user = await createAdmin(ctx, { name, email, password }, true);
  await forgiveAttempts(ctx, attempts);
  return user;
}

/** Creates the administrator of the settings, unless there is a user. */
export async function createConfiguredAdmin(deps: Deps): Promise<void> {
  const { firstAdmin } = deps.config;
  if (!firstAdmin || !(await needsFirstAdmin(deps))) return;
  const ctx = systemContext(deps, { id: null, label: 'settings' });
  const name = firstAdmin.email.slice(0, firstAdmin.email.lastIndexOf('@'));
  try {
    await createAdmin(ctx, { name, ...firstAdmin }, true);
  } catch (error) {
    // Another server, started at the same time, has created it.
    if (!(error instanceof AppError && error.code === 'REGISTRATION_CLOSED')) throw error;
  }
}

import { Secret, TOTP } from 'otpauth';
import type { TestUser } from './factories.ts';
import type { TestApp } from './test-app.ts';

const stepMs = 30_000;

/** The code that an authenticator app shows at that moment. */
export function totpCode(secret: string, at: Date): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at.getTime() });
}

/** Six digits that are not a valid code anywhere near that moment. */
export function wrongTotpCode(secret: string, at: Date): string {
  const steps = [-3, -2, -1, 0, 1, 2, 3];
  const near = new Set(steps.map((step) => totpCode(secret, new Date(at.getTime() + step * stepMs))));
  for (let candidate = 0; ; candidate += 1) {
    const code = String(candidate).padStart(6, '0');
    if (!near.has(code)) return code;
  }
}

/** An unused code, for which the server's clock moves on. */
export function nextTotpCode(app: TestApp, secret: string): string {
  app.clock.advance(stepMs);
  return totpCode(secret, app.clock.now());
}

export type Mfa = { secret: string; confirmCode: string; recoveryCodes: string[] };

/** Sets up MFA as a person does: scan the seed, confirm with a code. */
export async function enableMfa(app: TestApp, user: Pick<TestUser, 'client'>): Promise<Mfa> {
  const started = await user.client.post('/api/auth/mfa/setup/start');
  const secret: string = started.body.secret;
  const confirmCode = totpCode(secret, app.clock.now());
  const confirmed = await user.client.post('/api/auth/mfa/setup/verify', { code: confirmCode });
  if (confirmed.status !== 200) throw new Error(`MFA was not enabled: ${JSON.stringify(confirmed.body)}`);
  return { secret, confirmCode, recoveryCodes: confirmed.body.recovery_codes };
}

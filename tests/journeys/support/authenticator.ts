import { Secret, TOTP } from 'otpauth';
import { type SignedIn, send } from './api.ts';

const stepMs = 30_000;
/** A code must not expire between being generated and being checked. */
const marginMs = 10_000;

/** The app on a user's phone. The server accepts one step to either side, and each step once. */
export class Authenticator {
  private readonly secret: Secret;
  private lastStep = 0;

  constructor(secret: string) {
    this.secret = Secret.fromBase32(secret.replaceAll(' ', ''));
  }

  /** An unused code, the oldest first so that the next one is available soon. */
  async nextCode(): Promise<string> {
    const oldest = Math.floor((Date.now() + marginMs) / stepMs) - 1;
    const step = Math.max(oldest, this.lastStep + 1);
    const acceptedFrom = (step - 1) * stepMs;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, acceptedFrom - Date.now())));
    this.lastStep = step;
    return this.codeOf(step);
  }

  /** Six digits that are not valid anywhere near now. */
  wrongCode(): string {
    const now = Math.floor(Date.now() / stepMs);
    const near = new Set([-3, -2, -1, 0, 1, 2, 3].map((offset) => this.codeOf(now + offset)));
    let candidate = 0;
    while (near.has(String(candidate).padStart(6, '0'))) candidate += 1;
    return String(candidate).padStart(6, '0');
  }

  private codeOf(step: number): string {
    return TOTP.generate({ secret: this.secret, timestamp: step * stepMs });
  }
}

/** Switches MFA on for a user, the way the profile screen does. */
export async function enableMfa(url: string, { token }: Pick<SignedIn, 'token'>) {
  const started = await send(url, 'POST', '/api/auth/mfa/setup/start', token);
  const app = new Authenticator(started.body.secret);
  const code = await app.nextCode();
  const confirmed = await send(url, 'POST', '/api/auth/mfa/setup/verify', token, { code });
  if (confirmed.status !== 200) throw new Error(`MFA was not enabled: ${JSON.stringify(confirmed.body)}`);
  const recoveryCodes: string[] = confirmed.body.recovery_codes;
  return { app, recoveryCodes };
}

import type { Answer } from './client.ts';
import { testPassword } from './factories.ts';
import type { TestApp } from './test-app.ts';

/** Settings for a server that trusts X-Forwarded-For from this machine. */
export const behindProxy = { TRUST_PROXY: '127.0.0.1' };

/** Headers of a request that a proxy forwards for that address. */
export const from = (address: string) => ({ 'x-forwarded-for': address });

let lastAddress = 0;

/** An unused address from the range reserved for documentation. */
export function newAddress(): string {
  lastAddress += 1;
  return `198.18.${Math.floor(lastAddress / 250)}.${(lastAddress % 250) + 1}`;
}

export const wrongPassword = 'not the right password';

export function login(
  app: TestApp,
  email: string,
  password: string = testPassword,
  address?: string,
): Promise<Answer> {
  return app
    .client()
    .post('/api/auth/login', { email, password }, address === undefined ? {} : from(address));
}

/** The token between password and code. */
export async function mfaToken(app: TestApp, email: string, address?: string): Promise<string> {
  const answer = await login(app, email, testPassword, address);
  if (!answer.body.mfa_required) throw new Error(`no MFA challenge: ${JSON.stringify(answer.body)}`);
  return answer.body.mfa_token;
}

export function verifyLogin(
  app: TestApp,
  mfa_token: string,
  code: string,
  address?: string,
): Promise<Answer> {
  return app
    .client()
    .post('/api/auth/mfa/verify-login', { mfa_token, code }, address === undefined ? {} : from(address));
}

/** Responses to failures may differ only in the request id. */
export function withoutRequestId(answer: Answer): { status: number; body: Record<string, unknown> } {
  const { request_id, ...body } = answer.body;
  if (typeof request_id !== 'string') throw new Error('the answer has no request_id');
  return { status: answer.status, body };
}

import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { storageKeyOf } from '@customer-database/testkit/documents';
import {
  makeAccount,
  makeCustomer,
  makeDocument,
  makeUser,
  unique,
} from '@customer-database/testkit/factories';
import { login, mfaToken } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa } from '@customer-database/testkit/totp';
import { Secret } from 'otpauth';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

async function differ(make: () => Promise<string>): Promise<void> {
  const [first, second] = [await make(), await make()];
  expect(first.length).toBeGreaterThan(10);
  expect(first).not.toBe(second);
}

/** Records what Node's cryptographic generator returns from now on, without changing it. */
function recordDrawn(): { bytes(): string[]; letters(): string } {
  const randomBytes = vi.spyOn(crypto, 'randomBytes');
  const randomInt = vi.spyOn(crypto, 'randomInt');
  // Modules that imported the functions by name get the spies.
  syncBuiltinESMExports();
  const answersOf = (spy: { mock: { results: { value: unknown }[] } }) =>
    spy.mock.results.map(({ value }) => value);
  return {
    bytes: () => answersOf(randomBytes).map((drawn) => (drawn as Buffer).toString('hex')),
    letters: () =>
      answersOf(randomInt)
        .map((drawn) => 'abcdefghjkmnpqrstuvwxyz23456789'[drawn as number])
        .join(''),
  };
}

describe("secrets come from Node's cryptographic generator:", () => {
  it('session tokens and pre-MFA tokens', async () => {
    const user = await makeUser(app, 'staff');
    const drawn = recordDrawn();
    const { token } = (await login(app, user.email)).body;
    await enableMfa(app, user);
    for (const made of [token, await mfaToken(app, user.email)]) {
      expect(drawn.bytes()).toContain(Buffer.from(made, 'base64url').toString('hex'));
    }
  });

  it('seeds and recovery codes', async () => {
    const user = await makeUser(app, 'staff');
    const drawn = recordDrawn();
    const { secret, recoveryCodes } = await enableMfa(app, user);
    expect(drawn.bytes()).toContain(Buffer.from(Secret.fromBase32(secret).bytes).toString('hex'));
    expect(drawn.letters()).toBe(recoveryCodes.join('').replaceAll('-', ''));
  });

  it('temporary passwords', async () => {
    const admin = await makeUser(app, 'admin');
    const drawn = recordDrawn();
    const answer = await admin.client.post('/api/auth/invite', { email: `${unique('i')}@example.com` });
    expect(drawn.letters()).toBe(answer.body.temporary_password.replaceAll('-', ''));
  });
});

describe('secrets do not come from Math.random:', () => {
  // Math.random is constant now, so anything made from it would repeat.
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
  });

  it('session tokens and pre-MFA tokens', async () => {
    const { email } = await makeAccount(app, 'staff');
    await differ(async () => (await login(app, email)).body.token);
    const user = await makeUser(app, 'staff');
    await enableMfa(app, user);
    await differ(() => mfaToken(app, user.email));
  });

  it('seeds and recovery codes', async () => {
    await differ(async () => {
      const user = await makeUser(app, 'staff');
      return (await user.client.post('/api/auth/mfa/setup/start')).body.secret;
    });
    const { recoveryCodes } = await enableMfa(app, await makeUser(app, 'staff'));
    expect(new Set(recoveryCodes).size).toBe(recoveryCodes.length);
  });

  it('temporary passwords', async () => {
    const admin = await makeUser(app, 'admin');
    await differ(async () => {
      const invitation = { email: `${unique('invited')}@example.com` };
      return (await admin.client.post('/api/auth/invite', invitation)).body.temporary_password;
    });
  });

  it('the storage keys of documents', async () => {
    const admin = await makeUser(app, 'admin');
    const { id } = await makeCustomer(admin.client);
    await differ(async () => storageKeyOf(app, (await makeDocument(admin.client, id)).id));
  });
});

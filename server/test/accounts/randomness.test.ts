import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { storageKeyOf } from '@customer-database/testkit/documents';
import { makeCustomer, makeDocument, makeUser, unique } from '@customer-database/testkit/factories';
import { login, mfaToken } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa } from '@customer-database/testkit/totp';
import { Secret } from 'otpauth';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Records what Node's cryptographic generator returns from now on, without changing it. */
function recordDrawn(): { bytes(): string[]; letters(): string; uuids(): string[] } {
  const randomBytes = vi.spyOn(crypto, 'randomBytes');
  const randomUUID = vi.spyOn(crypto, 'randomUUID');
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
    uuids: () => answersOf(randomUUID) as string[],
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

  it('the storage keys of documents', async () => {
    const admin = await makeUser(app, 'admin');
    const { id } = await makeCustomer(admin.client);
    const drawn = recordDrawn();
    const key = await storageKeyOf(app, (await makeDocument(admin.client, id)).id);
    expect(drawn.uuids()).toContain(key.split('/').at(-1));
  });
});

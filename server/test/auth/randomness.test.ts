import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { storageKeyOf } from '../support/documents.ts';
import { makeAccount, makeCustomer, makeDocument, makeUser, unique } from '../support/factories.ts';
import { login, mfaToken } from '../support/sign-in.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { enableMfa } from '../support/totp.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

// What can be predicted now is always the same: whatever is made from it would be so, too.
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function differ(make: () => Promise<string>): Promise<void> {
  const [first, second] = [await make(), await make()];
  expect(first.length).toBeGreaterThan(10);
  expect(first).not.toBe(second);
}

describe('what nobody may guess does not come from Math.random:', () => {
  it('tokens of sessions, and those before MFA', async () => {
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

  it('the places of documents', async () => {
    const admin = await makeUser(app, 'admin');
    const { id } = await makeCustomer(admin.client);
    await differ(async () => storageKeyOf(app, (await makeDocument(admin.client, id)).id));
  });
});

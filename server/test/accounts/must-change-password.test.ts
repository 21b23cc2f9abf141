import type { Role } from '@customer-database/contract/permissions';
import type { Client } from '@customer-database/testkit/client';
import { makeUser, type TestUser, unique } from '@customer-database/testkit/factories';
import { makeCall, nameOf, protectedCalls } from '@customer-database/testkit/protected-calls';
import { login } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

let app: TestApp;
let admin: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
});

async function newcomer(role: Role): Promise<{ client: Client; email: string; password: string }> {
  const email = `${unique('new')}@example.com`;
  const password: string = (await admin.client.post('/api/auth/invite', { email, role })).body
    .temporary_password;
  return { email, password, client: app.client((await login(app, email, password)).body.token) };
}

const excepted = ['GET /api/auth/verify', 'POST /api/auth/logout', 'PUT /api/auth/change-password'];

describe('a user who must change the password', () => {
  it.each(['staff', 'admin'] as const)('gets 403 for every other call as %s', async (role) => {
    const { client } = await newcomer(role);
    const calls = protectedCalls(app).filter((call) => !excepted.includes(nameOf(call)));
    expect(calls.length).toBe(protectedCalls(app).length - excepted.length);
    expect(calls.length).toBeGreaterThan(20);
    for (const call of calls) {
      const answer = await makeCall(client, call);
      expect(answer.status, nameOf(call)).toBe(403);
      expect(answer.body, nameOf(call)).toMatchObject({
        error: 'Please change your password first',
        code: 'PASSWORD_CHANGE_REQUIRED',
      });
    }
  });

  it('can see who they are and sign out', async () => {
    const { client, email } = await newcomer('staff');
    expect((await client.get('/api/auth/verify')).body.user.email).toBe(email);
    expect((await client.post('/api/auth/logout')).status).toBe(200);
    expect((await client.get('/api/auth/verify')).status).toBe(401);
  });

  it('is asked again at every sign-in until then', async () => {
    const { email, password } = await newcomer('staff');
    expect((await login(app, email, password)).body.require_password_change).toBe(true);
  });

  it('can change it and continue in the same session', async () => {
    const { client, email, password } = await newcomer('staff');
    const change = (newPassword: string) =>
      client.put('/api/auth/change-password', { currentPassword: password, newPassword });
    expect((await change(password)).body.error).toBe('New password must be different from the current one');
    expect((await client.get('/api/customers')).status).toBe(403);
    expect((await change('my own choice')).body).toEqual({ message: 'Password changed successfully' });
    expect((await client.get('/api/customers')).status).toBe(200);
    const answer = await login(app, email, 'my own choice');
    expect(answer.status).toBe(200);
    expect(answer.body).not.toHaveProperty('require_password_change');
  });
});

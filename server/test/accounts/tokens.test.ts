import { activitySince, lastActivityId } from '@customer-database/testkit/activity';
import type { Answer } from '@customer-database/testkit/client';
import {
  makeCustomer,
  makeUser,
  type TestUser,
  testPassword,
  unique,
} from '@customer-database/testkit/factories';
import { expectProblem } from '@customer-database/testkit/problems';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa } from '@customer-database/testkit/totp';
import { beforeAll, describe, expect, it } from 'vitest';
import { sendWithoutBody, sessionCalls } from '../http/calls/all.ts';
import { tokenScopes } from '../http/calls/call.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

const dayMs = 24 * 3_600_000;

async function makeToken({ client }: TestUser, scope: string, more: object = {}) {
  const answer = await client.post('/api/auth/tokens', { name: 'Nightly export', scope, ...more });
  expect(answer.status).toBe(201);
  return { id: answer.body.api_token.id, token: answer.body.token, client: app.client(answer.body.token) };
}

const makeAdminUser = (user: TestUser, role: string, id: number) =>
  user.client.put(`/api/users/${id}`, { role });

describe('an API token', () => {
  it('is shown once, listed without it, and kept as a hash', async () => {
    const user = await makeUser(app, 'staff');
    const { body } = await user.client.post('/api/auth/tokens', { name: 'Reports', scope: 'read' });
    expect(body.token).toMatch(/^cdb_[\w-]{43}$/);
    const { api_tokens } = (await user.client.get('/api/auth/tokens')).body;
    expect(api_tokens).toEqual([
      {
        id: body.api_token.id,
        name: 'Reports',
        scope: 'read',
        created_at: expect.any(String),
        expires_at: new Date(Date.parse(body.api_token.created_at) + 90 * dayMs).toISOString(),
        last_used_at: null,
        last_address: null,
      },
    ]);
    const { rows } = await app.pool.query('select * from api_tokens where id = $1', [body.api_token.id]);
    expect(JSON.stringify(rows)).not.toContain(body.token.slice(4));
    expect((await (await makeUser(app, 'staff')).client.get('/api/auth/tokens')).body.api_tokens).toEqual([]);
  });

  it('shows its user, its last use and the IP address', async () => {
    const user = await makeUser(app, 'staff');
    const { client } = await makeToken(user, 'read');
    expect((await client.get('/api/auth/verify')).body.user).toMatchObject({ id: user.id });
    const [used] = (await user.client.get('/api/auth/tokens')).body.api_tokens;
    expect(used).toMatchObject({ last_used_at: expect.any(String), last_address: '127.0.0.1' });
  });

  it('does what its scope allows, and never manages the account', async () => {
    const admin = await makeUser(app, 'admin');
    for (const [index, scope] of tokenScopes.entries()) {
      const { client } = await makeToken(admin, scope);
      const allowed: string[] = [];
      for (const [name] of sessionCalls) {
        const answer = await sendWithoutBody(client, name);
        if (answer.status === 401) throw new Error(`${name} does not know the token`);
        if (answer.status !== 403) allowed.push(name);
        else expectProblem(answer, 403, 'FORBIDDEN');
      }
      const within: unknown[] = tokenScopes.slice(0, index + 1).map((narrower) => `${narrower} token`);
      const expected = sessionCalls.filter(([, { token }]) => within.includes(token));
      expect(allowed, scope).toEqual(expected.map(([name]) => name));
    }
    // Changes of rights require a recently confirmed session, which a token has not.
    const { client } = await makeToken(admin, 'admin');
    const other = await makeUser(app, 'staff');
    expectProblem(await client.put(`/api/users/${other.id}`, { role: 'admin' }), 403, 'FORBIDDEN');
    const invited = await client.post('/api/auth/invite', { email: 'new-admin@example.com', role: 'admin' });
    expectProblem(invited, 403, 'FORBIDDEN');
  });

  it('of an administrator with the scope read gets no details for administrators', async () => {
    const admin = await makeUser(app, 'admin');
    const dashboardFor = async (scope: string) =>
      (await (await makeToken(admin, scope)).client.get('/api/dashboard')).body;
    expect(await dashboardFor('read')).toMatchObject({ maintenance: null, unusual_reading: null });
    expect(await dashboardFor('admin')).toMatchObject({ maintenance: {}, unusual_reading: [] });
  });

  it('never has more rights than its user has at that moment', async () => {
    const user = await makeUser(app, 'admin');
    const { client } = await makeToken(user, 'write');
    const customer = { name: 'Ada', dob: '1985-12-10', email: 'ada@example.com' };
    expect((await client.post('/api/customers', customer)).status).toBe(201);
    expect((await makeAdminUser(await makeUser(app, 'admin'), 'staff', user.id)).status).toBe(200);
    expectProblem(await client.post('/api/customers', customer), 403, 'FORBIDDEN');
    expect((await client.get('/api/customers')).status).toBe(200);
    const refused = await user.client.post('/api/auth/tokens', { name: 'More', scope: 'write' });
    expectProblem(refused, 400, 'VALIDATION_FAILED');
    expect(refused.body.fields).toEqual({ scope: 'Your role allows only read' });
  });

  it('ends when it is revoked, when it expires, and when the access of its user ends', async () => {
    const admin = await makeUser(app, 'admin');
    const ways: Record<string, (user: TestUser, id: number) => Promise<unknown>> = {
      revoked: (user, id) => user.client.delete(`/api/auth/tokens/${id}`),
      disabled: ({ id }) => admin.client.post(`/api/users/${id}/disable`),
      'signed out everywhere': ({ id }) => admin.client.post(`/api/users/${id}/end-sessions`),
      'given a new password': ({ id }) => admin.client.post(`/api/users/${id}/reset-password`),
      'reset MFA': ({ id }) => admin.client.post(`/api/users/${id}/reset-mfa`),
    };
    for (const [way, end] of Object.entries(ways)) {
      const user = await makeUser(app, 'staff');
      const { id, client } = await makeToken(user, 'read');
      expect((await client.get('/api/customers')).status, way).toBe(200);
      await end(user, id);
      expect((await client.get('/api/customers')).status, way).toBe(401);
      // Not alive again either.
      await admin.client.post(`/api/users/${user.id}/enable`);
      expect((await client.get('/api/customers')).status, way).toBe(401);
    }
    const { client } = await makeToken(await makeUser(app, 'staff'), 'read', { expires_in_days: 1 });
    app.clock.advance(dayMs - 60_000);
    expect((await client.get('/api/customers')).status).toBe(200);
    app.clock.advance(60_000);
    expect((await client.get('/api/customers')).status).toBe(401);
  });

  it.each<[string, (user: TestUser, revoke_tokens?: true) => Promise<Answer>]>([
    [
      'the password',
      ({ client }, revoke_tokens) =>
        client.put('/api/auth/change-password', {
          currentPassword: testPassword,
          newPassword: 'a completely new password',
          revoke_tokens,
        }),
    ],
    [
      'the email',
      ({ client }, revoke_tokens) =>
        client.put('/api/auth/profile', { email: `${unique('moved')}@example.com`, revoke_tokens }),
    ],
    [
      'the other sessions',
      ({ client }, asked) => client.delete(`/api/auth/sessions${asked ? '?revoke_tokens=true' : ''}`),
    ],
  ])('stays after a change of %s, unless the user also revokes it', async (_, change) => {
    const user = await makeUser(app, 'staff');
    const other = await makeToken(await makeUser(app, 'staff'), 'read');
    const { client } = await makeToken(user, 'read');
    expect((await change(user)).status).toBe(200);
    expect((await client.get('/api/customers')).status).toBe(200);
    const again = await makeUser(app, 'staff');
    const revoked = await makeToken(again, 'read');
    const since = await lastActivityId(app);
    expect((await change(again, true)).status).toBe(200);
    expect(await activitySince(app, since)).toContainEqual(
      expect.objectContaining({ action: 'token.revoked', subject_id: revoked.id, actor_id: again.id }),
    );
    expect((await revoked.client.get('/api/customers')).status).toBe(401);
    expect((await other.client.get('/api/customers')).status).toBe(200);
  });

  it('of another user cannot be revoked', async () => {
    const { id, client } = await makeToken(await makeUser(app, 'staff'), 'read');
    expectProblem(
      await (await makeUser(app, 'admin')).client.delete(`/api/auth/tokens/${id}`),
      404,
      'NOT_FOUND',
    );
    expect((await client.get('/api/customers')).status).toBe(200);
  });

  it('is created in a recently confirmed session only, fifty at most', async () => {
    const user = await makeUser(app, 'staff');
    for (let made = 0; made < 49; made += 1) await makeToken(user, 'read');
    const input = { name: 'One more', scope: 'read' };
    const both = await Promise.all([1, 2].map(() => user.client.post('/api/auth/tokens', input)));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    app.clock.advance(16 * 60_000);
    expectProblem(await user.client.post('/api/auth/tokens', input), 403, 'CONFIRMATION_REQUIRED');
  });

  it('has every call logged under its name', async () => {
    const user = await makeUser(app, 'admin');
    const { id, client } = await makeToken(user, 'write');
    const since = await lastActivityId(app);
    await client.get('/api/customers?limit=1');
    const customer = await makeCustomer(client);
    await client.get('/api/users');
    const label = `${user.name} (token Nightly export)`;
    const rows = await activitySince(app, since);
    const byToken = { actor_id: user.id, actor_label: label };
    const used = { ...byToken, action: 'token.used', subject_id: id, subject_label: 'Nightly export' };
    expect(rows).toMatchObject([
      { ...used, detail: { call: 'GET /api/customers' } },
      { ...used, detail: { call: 'POST /api/customers' } },
      { ...byToken, action: 'customer.created', subject_id: customer.id },
      { ...used, detail: { call: 'GET /api/users' } },
      { ...byToken, action: 'access.denied', subject_label: 'GET /api/users' },
    ]);
  });
});

describe('where MFA is required', () => {
  it('a token of a session without it opens nothing', async () => {
    const open = await startTestApp();
    const user = await makeUser(open, 'staff');
    const answer = await user.client.post('/api/auth/tokens', { name: 'Old', scope: 'read' });
    const { secret } = await enableMfa(open, user);
    expect(secret).toBeTruthy();
    const strict = await startTestApp({ databaseUrl: open.databaseUrl, env: { REQUIRE_MFA: 'all' } });
    const old = strict.client(answer.body.token);
    expectProblem(await old.get('/api/customers'), 403, 'MFA_SETUP_REQUIRED');
    const made = await user.client.post('/api/auth/tokens', { name: 'New', scope: 'read' });
    expect((await strict.client(made.body.token).get('/api/customers')).status).toBe(200);
  });
});

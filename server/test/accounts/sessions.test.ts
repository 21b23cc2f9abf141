import { createHash } from 'node:crypto';
import { makeAccount, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { allTablesAsText, leakedInto } from '@customer-database/testkit/leaks';
import { whileHolding } from '@customer-database/testkit/locks';
import { makeCall, nameOf, protectedCalls } from '@customer-database/testkit/protected-calls';
import { login, mfaToken, verifyLogin } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, nextTotpCode } from '@customer-database/testkit/totp';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemContext } from '../../src/core/context.ts';
import { AppError } from '../../src/http/errors.ts';
import { setUserDisabled, updateUser } from '../../src/modules/accounts/users/commands.ts';
import { resetPassword } from '../../src/modules/accounts/users/reset-credentials.ts';

const hour = 3_600_000;
const minute = 60_000;

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
  // The last active administrator, so that others can be disabled.
  await makeAccount(app, 'admin');
});

const isAlive = async (user: TestUser, server = app) => {
  const { status } = await server.client(user.token).get('/api/auth/verify');
  expect([200, 401]).toContain(status);
  return status === 200;
};

describe('a session token', () => {
  it('has 256 random bits and is new at every sign-in', async () => {
    const user = await makeUser(app, 'staff');
    const tokens = [user.token, (await login(app, user.email)).body.token];
    expect(tokens[0]).not.toBe(tokens[1]);
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    }
  });

  it('is stored as a hash only, like the pre-MFA token', async () => {
    const user = await makeUser(app, 'staff');
    await enableMfa(app, user);
    const waiting = await mfaToken(app, user.email);
    const tables = await allTablesAsText(app.pool);
    for (const token of [user.token, waiting]) {
      expect(tables).toContain(createHash('sha256').update(token).digest('hex'));
    }
    expect(leakedInto(tables, { session: user.token, waiting })).toEqual([]);
  });
});

describe('a session ends', () => {
  it('when it is idle for too long, and not while it is used', async () => {
    const server = await startTestApp({ env: { SESSION_IDLE_MINUTES: '30', SESSION_MAX_HOURS: '24' } });
    const user = await makeUser(server, 'staff');
    for (let turn = 0; turn < 4; turn += 1) {
      server.clock.advance(29 * minute);
      expect(await isAlive(user, server)).toBe(true);
    }
    server.clock.advance(30 * minute + 1000);
    expect(await isAlive(user, server)).toBe(false);
  });

  it('at its maximum age, however much it is used', async () => {
    const server = await startTestApp({ env: { SESSION_IDLE_MINUTES: '120', SESSION_MAX_HOURS: '5' } });
    const user = await makeUser(server, 'staff');
    for (let turn = 0; turn < 4; turn += 1) {
      server.clock.advance(hour);
      expect(await isAlive(user, server)).toBe(true);
    }
    server.clock.advance(hour + 1000);
    expect(await isAlive(user, server)).toBe(false);
  });

  it('after eight idle hours and after seven days by default', async () => {
    const { config } = app.deps;
    expect([config.sessionIdleMs, config.sessionMaxMs]).toEqual([8 * hour, 7 * 24 * hour]);
  });

  it('when the user is disabled, at the next request on every instance and for good', async () => {
    const other = await startTestApp({ databaseUrl: app.databaseUrl });
    const user = await makeUser(app, 'admin');
    expect(await isAlive(user, other)).toBe(true);
    await setUserDisabled(systemContext(app.deps), user.id, true);
    expect(await isAlive(user)).toBe(false);
    expect(await isAlive(user, other)).toBe(false);
    expect((await login(app, user.email)).status).toBe(401);
    await setUserDisabled(systemContext(app.deps), user.id, false);
    expect(await isAlive(user)).toBe(false);
    expect((await login(app, user.email)).status).toBe(200);
    await other.close();
  });

  it('before it begins, when the user is disabled while the password is checked', async () => {
    const { id, email } = await makeAccount(app, 'staff');
    const [late] = await whileHolding(
      app.pool,
      (client) => client.query('update users set disabled_at = now() where id = $1', [id]),
      () => [login(app, email)],
    );
    expect(late?.status).toBe(401);
    const { rows } = await app.pool.query('select id from sessions where user_id = $1', [id]);
    expect(rows).toEqual([]);
  });

  it('before it begins, when the user is disabled between password and code', async () => {
    const user = await makeUser(app, 'staff');
    const { secret } = await enableMfa(app, user);
    const waiting = await mfaToken(app, user.email);
    await setUserDisabled(systemContext(app.deps), user.id, true);
    const code = nextTotpCode(app, secret);
    expect((await verifyLogin(app, waiting, code)).status).toBe(401);
    await setUserDisabled(systemContext(app.deps), user.id, false);
    expect((await verifyLogin(app, waiting, code)).status).toBe(401);
  });
});

describe('a change of role', () => {
  it('applies to the next request on every instance', async () => {
    const other = await startTestApp({ databaseUrl: app.databaseUrl });
    const user = await makeUser(app, 'admin');
    const mayInvite = async (server: TestApp) => {
      const answer = await server.client(user.token).post('/api/auth/invite', {});
      expect([400, 403]).toContain(answer.status);
      return answer.status === 400;
    };
    expect(await mayInvite(other)).toBe(true);
    await updateUser(systemContext(app.deps), user.id, { role: 'staff' });
    expect([await mayInvite(app), await mayInvite(other)]).toEqual([false, false]);
    expect((await user.client.get('/api/auth/verify')).body.user.role).toBe('staff');
    await updateUser(systemContext(app.deps), user.id, { role: 'admin' });
    expect(await mayInvite(other)).toBe(true);
    await other.close();
  });
});

describe('the pre-MFA token', () => {
  it('opens only verify-login, and the session gets a new token', async () => {
    const user = await makeUser(app, 'admin');
    const { secret } = await enableMfa(app, user);
    const waiting = await mfaToken(app, user.email);
    const calls = protectedCalls(app);
    expect(calls.length).toBeGreaterThan(20);
    for (const call of calls) {
      const answer = await makeCall(app.client(waiting), call);
      expect(answer.status, nameOf(call)).toBe(401);
      expect(answer.body.code, nameOf(call)).toBe('UNAUTHENTICATED');
    }
    const session = await verifyLogin(app, waiting, nextTotpCode(app, secret));
    expect(session.status).toBe(200);
    expect(session.body.token).not.toBe(waiting);
    expect((await app.client(waiting).get('/api/auth/verify')).status).toBe(401);
    expect((await app.client(session.body.token).get('/api/auth/verify')).status).toBe(200);
    expect((await verifyLogin(app, session.body.token, nextTotpCode(app, secret))).status).toBe(401);
  });
});

describe('the last active administrator', () => {
  const lastAdmin = { code: 'LAST_ADMIN' };

  it('can be neither disabled nor demoted', async () => {
    const server = await startTestApp();
    const ctx = systemContext(server.deps);
    const [last, disabled] = [await makeUser(server, 'admin'), await makeAccount(server, 'admin')];
    await makeAccount(server, 'staff');
    await setUserDisabled(ctx, disabled.id, true);
    await expect(setUserDisabled(ctx, last.id, true)).rejects.toMatchObject(lastAdmin);
    await expect(updateUser(ctx, last.id, { role: 'staff' })).rejects.toMatchObject(lastAdmin);
    expect((await last.client.get('/api/auth/verify')).body.user.role).toBe('admin');
    await setUserDisabled(ctx, disabled.id, false);
    await updateUser(ctx, last.id, { role: 'staff' });
    expect((await last.client.get('/api/auth/verify')).body.user.role).toBe('staff');
  });

  it('remains when two are removed concurrently, in any way', async () => {
    const server = await startTestApp();
    const ctx = systemContext(server.deps);
    for (let round = 0; round < 6; round += 1) {
      await server.pool.query("update users set role = 'staff'");
      const [one, two] = [await makeAccount(server, 'admin'), await makeAccount(server, 'admin')];
      const results = await Promise.allSettled([
        setUserDisabled(ctx, one.id, true),
        round % 2 ? setUserDisabled(ctx, two.id, true) : updateUser(ctx, two.id, { role: 'staff' }),
      ]);
      const refused = results.filter((result) => result.status === 'rejected');
      expect(refused).toHaveLength(1);
      expect(refused[0]?.reason).toBeInstanceOf(AppError);
      expect(refused[0]?.reason).toMatchObject(lastAdmin);
      const { rows } = await server.pool.query(
        "select count(*) as admins from users where role = 'admin' and disabled_at is null",
      );
      expect(rows).toEqual([{ admins: 1 }]);
    }
  });

  it('is not one who was invited, or who has a temporary password', async () => {
    const server = await startTestApp();
    const ctx = systemContext(server.deps);
    const last = await makeUser(server, 'admin');
    await last.client.post('/api/auth/invite', { email: 'other@example.com', role: 'admin' });
    const reset = await makeAccount(server, 'admin');
    await server.pool.query('update users set joined_at = created_at where id = $1', [reset.id]);
    await resetPassword(ctx, reset.id);
    server.clock.advance(8 * 24 * hour);
    await expect(updateUser(ctx, last.id, { role: 'staff' })).rejects.toMatchObject(lastAdmin);
    await resetPassword(ctx, reset.id);
    await expect(updateUser(ctx, last.id, { role: 'staff' })).rejects.toMatchObject(lastAdmin);
  });
});

import { createHash } from 'node:crypto';
import { makeAccount, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { allTablesAsText, leakedInto } from '@customer-database/testkit/leaks';
import { whileHolding } from '@customer-database/testkit/locks';
import { login, mfaToken, verifyLogin } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, nextTotpCode } from '@customer-database/testkit/totp';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemContext } from '../../src/core/context.ts';
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

describe('the pre-MFA token', () => {
  it('is not the token of the session that it leads to', async () => {
    const user = await makeUser(app, 'admin');
    const { secret } = await enableMfa(app, user);
    const waiting = await mfaToken(app, user.email);
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

  it('is one who has chosen a password: invited and reset administrators do not count', async () => {
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

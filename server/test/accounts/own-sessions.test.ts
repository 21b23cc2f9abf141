import { activitySince, lastActivityId } from '@customer-database/testkit/activity';
import { makeAccount, makeUser, testPassword } from '@customer-database/testkit/factories';
import { startMailTest } from '@customer-database/testkit/mail-test';
import { behindProxy, from } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemContext } from '../../src/core/context.ts';
import { isNewDevice } from '../../src/modules/accounts/sessions/known-networks.ts';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ env: behindProxy });
});

async function signIn(email: string, userAgent: string, address: string, server = app): Promise<string> {
  const headers = { 'user-agent': userAgent, ...from(address) };
  const answer = await server.client().post('/api/auth/login', { email, password: testPassword }, headers);
  expect(answer.status).toBe(200);
  return answer.body.token;
}

const sessionsOf = async (token: string) => (await app.client(token).get('/api/auth/sessions')).body.sessions;
const isAlive = async (token: string) => (await app.client(token).get('/api/auth/verify')).status === 200;

describe('GET /api/auth/sessions', () => {
  it('lists the sessions of the user with device, IP address, start and last use', async () => {
    const { email } = await makeAccount(app, 'staff');
    await makeUser(app, 'staff');
    const first = await signIn(email, firefox, '198.51.100.7');
    const since = app.clock.now().toISOString();
    app.clock.advance(3_600_000);
    const second = await signIn(email, safari, '203.0.113.9');
    expect(await sessionsOf(second)).toEqual([
      {
        id: expect.any(Number),
        device: 'Safari on iOS',
        address: '203.0.113.9',
        created_at: expect.any(String),
        last_seen_at: expect.any(String),
        is_current: true,
      },
      {
        id: expect.any(Number),
        device: 'Firefox on Windows',
        address: '198.51.100.7',
        created_at: expect.stringContaining(since.slice(0, 16)),
        last_seen_at: expect.stringContaining(since.slice(0, 16)),
        is_current: false,
      },
    ]);
    expect((await sessionsOf(first)).map(({ is_current }: { is_current: boolean }) => is_current)).toEqual([
      true,
      false,
    ]);
  });

  it('names programs, and no device for an unreadable user agent', async () => {
    const { email } = await makeAccount(app, 'staff');
    const token = await signIn(email, 'curl/8.14.1', '198.51.100.7');
    await signIn(email, `\u00e9 <script>${'x'.repeat(10_000)}`.slice(2), '198.51.100.8');
    const devices = (await sessionsOf(token)).map(({ device }: { device: string | null }) => device);
    expect(devices.sort()).toEqual(['curl', null].sort());
  });

  it('leaves out sessions that have ended or were idle for too long', async () => {
    const user = await makeUser(app, 'staff');
    const other = await signIn(user.email, firefox, '198.51.100.7');
    await app.client(other).post('/api/auth/logout');
    expect(await sessionsOf(user.token)).toHaveLength(1);
    app.clock.advance(7 * 3_600_000);
    await user.client.get('/api/auth/verify');
    const third = await signIn(user.email, safari, '198.51.100.7');
    app.clock.advance(7 * 3_600_000);
    await app.client(third).get('/api/auth/verify');
    app.clock.advance(2 * 3_600_000);
    expect(await sessionsOf(third)).toHaveLength(1);
  });
});

describe('a session', () => {
  it('is ended from another one of the same user, at once and logged', async () => {
    const [user, stranger] = [await makeUser(app, 'staff'), await makeUser(app, 'staff')];
    const other = await signIn(user.email, firefox, '198.51.100.7');
    const [listed] = await sessionsOf(other);
    expect((await stranger.client.delete(`/api/auth/sessions/${listed.id}`)).status).toBe(404);
    expect(await isAlive(other)).toBe(true);
    const since = await lastActivityId(app);
    expect((await user.client.delete(`/api/auth/sessions/${listed.id}`)).status).toBe(200);
    expect(await activitySince(app, since)).toMatchObject([
      { action: 'session.ended', detail: { device: 'Firefox on Windows', address: '198.51.100.7' } },
    ]);
    expect(await isAlive(other)).toBe(false);
    expect((await user.client.delete(`/api/auth/sessions/${listed.id}`)).status).toBe(404);
    expect(await isAlive(user.token)).toBe(true);
  });

  it('stays when all others are ended', async () => {
    const user = await makeUser(app, 'staff');
    const others = [await signIn(user.email, firefox, '::1'), await signIn(user.email, safari, '::1')];
    expect((await user.client.delete('/api/auth/sessions')).status).toBe(200);
    expect(await Promise.all([user.token, ...others].map(isAlive))).toEqual([true, false, false]);
  });
});

describe('a sign-in from a new device', () => {
  it('is mailed, unless it is the first one or from a known browser or network', async () => {
    const mail = await startMailTest(behindProxy);
    const { email } = await makeAccount(mail.app, 'staff');
    const enter = async (agent: string, address: string, cookie = '') => {
      const headers = { 'user-agent': agent, cookie, ...from(address) };
      const answer = await mail.app
        .client()
        .post('/api/auth/login', { email, password: testPassword }, headers);
      expect(answer.status).toBe(200);
      return answer.headers.get('set-cookie') ?? '';
    };
    const cookie = await enter(firefox, '198.51.100.7');
    expect(cookie).toMatch(
      /^device=[\w-]{43}; Max-Age=\d+; Path=\/api\/auth; HttpOnly; Secure; SameSite=Strict$/,
    );
    await enter(firefox, '198.51.100.7');
    await enter(firefox, '203.0.113.1', cookie);
    await mail.queueIsEmpty();
    expect(mail.mailsTo(email)).toEqual([]);
    await enter(safari, '203.0.113.9', 'device=made-up');
    await enter(safari, '203.0.113.9');
    const { text } = (await mail.onlyMailTo(email)).email;
    expect(text).toContain('A new device signed in to your account.');
    expect(text).toMatch(/Device: Safari on iOS\r?\nIP address: 203\.0\.113\.9\r?\nTime: \d{4}-/);
  });

  it('of another user is mailed although the browser is known', async () => {
    const [one, two] = [await makeAccount(app, 'staff'), await makeAccount(app, 'staff')];
    const first = await app.client().post('/api/auth/login', { email: one.email, password: testPassword });
    const cookie = first.headers.get('set-cookie') ?? '';
    await signIn(two.email, safari, '198.51.100.7');
    const ctx = { ...systemContext(app.deps), userAgent: firefox, address: '203.0.113.9' };
    const deviceToken = /device=([\w-]+)/.exec(cookie)?.[1];
    expect(await isNewDevice({ ...ctx, deviceToken }, two.id)).toBe(true);
    expect(await isNewDevice({ ...ctx, deviceToken }, one.id)).toBe(false);
  });
});

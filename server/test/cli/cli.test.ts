import { runAdmin, runProgramHere, settingsOf } from '@customer-database/testkit/admin';
import {
  makeAccount,
  makeCustomer,
  makeUser,
  testPassword,
  unique,
} from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { TOTP } from 'otpauth';
import { beforeAll, describe, expect, it } from 'vitest';
import { sealActivity } from '../../src/modules/activity/seals/seal.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

const admin = (...args: string[]) => runProgramHere('admin', args, settingsOf(app));

const passwordIn = (output: string) => /: ((?:[a-z2-9]{5}-){3}[a-z2-9]{5})/.exec(output)?.[1] ?? '';

const signIn = (email: string, password: string) => app.client().post('/api/auth/login', { email, password });

async function actionsFor(email: string): Promise<string[]> {
  const rows = await app.deps.db
    .selectFrom('activity')
    .select('action')
    .where('subject_label', '=', email)
    .where('actor_label', 'like', 'command line (%')
    .orderBy('id')
    .execute();
  return rows.map((row) => row.action);
}

describe('npm run admin', () => {
  it('create-admin creates an administrator with a temporary password', async () => {
    const { code, output } = await runAdmin(app, ['create-admin', 'Root@Example.com', '--name', 'Ro Ot']);
    expect(code).toBe(0);
    const answer = await signIn('root@example.com', passwordIn(output));
    expect(answer.body).toMatchObject({
      require_password_change: true,
      user: { role: 'admin', name: 'Ro Ot', email: 'root@example.com' },
    });
    expect(await actionsFor('root@example.com')).toEqual(['user.registered', 'password.reset']);
    expect((await admin('create-admin', 'root@example.com')).output).toContain('already exists');
    const twoLines = await admin('create-admin', 'two@example.com', '--name', 'Two\nLines');
    expect(twoLines.output).toContain('Name must be a single line of text');
  });

  it('reset-password sets a new password and ends every session', async () => {
    const user = await makeUser(app, 'staff');
    const { output } = await admin('reset-password', user.email);
    expect((await user.client.get('/api/auth/verify')).status).toBe(401);
    expect((await signIn(user.email, testPassword)).status).toBe(401);
    expect((await signIn(user.email, passwordIn(output))).body.require_password_change).toBe(true);
    expect(await actionsFor(user.email)).toEqual(['password.reset']);
  });

  it('reset-mfa switches MFA off', async () => {
    const user = await makeUser(app, 'staff');
    const setup = await user.client.post('/api/auth/mfa/setup/start');
    const code = new TOTP({ secret: setup.body.secret }).generate({ timestamp: app.clock.now().getTime() });
    expect((await user.client.post('/api/auth/mfa/setup/verify', { code })).status).toBe(200);
    expect((await signIn(user.email, testPassword)).body.mfa_required).toBe(true);
    expect((await admin('reset-mfa', user.email)).code).toBe(0);
    expect((await signIn(user.email, testPassword)).body.user.mfa_enabled).toBe(false);
    expect(await actionsFor(user.email)).toEqual(['mfa.reset']);
  });

  it('unlock lifts the wait after failed sign-ins', async () => {
    const user = await makeAccount(app, 'staff');
    for (let tries = 0; tries < 8; tries += 1) await signIn(user.email, 'wrong password');
    expect((await signIn(user.email, testPassword)).status).toBe(429);
    expect((await admin('unlock', user.email)).code).toBe(0);
    expect((await signIn(user.email, testPassword)).status).toBe(200);
    expect(await actionsFor(user.email)).toEqual(['account.unlocked']);
  });

  it('disable, enable and set-role apply to the next request', async () => {
    await makeAccount(app, 'admin');
    const user = await makeUser(app, 'staff');
    await admin('set-role', user.email, 'admin');
    expect((await user.client.get('/api/auth/verify')).body.user.role).toBe('admin');
    await admin('disable', user.email);
    expect((await user.client.get('/api/auth/verify')).status).toBe(401);
    expect((await signIn(user.email, testPassword)).status).toBe(401);
    await admin('enable', user.email);
    expect((await signIn(user.email, testPassword)).status).toBe(200);
    expect(await actionsFor(user.email)).toEqual(['user.role_changed', 'user.disabled', 'user.enabled']);
  });

  it('invites twice with another name and role, renames, signs out and withdraws', async () => {
    const email = `${unique('cli')}@example.com`;
    const first = passwordIn((await admin('invite', email, '--name', 'Bea', '--role', 'admin')).output);
    const second = passwordIn((await admin('invite', email)).output);
    expect((await signIn(email, first)).status).toBe(401);
    const session = await signIn(email, second);
    expect(session.body.user).toMatchObject({ role: 'staff', name: email.split('@')[0] });
    await admin('set-name', email, 'Bea Bauer');
    const client = app.client(session.body.token);
    expect((await client.get('/api/auth/verify')).body.user.name).toBe('Bea Bauer');
    await admin('end-sessions', email);
    expect((await client.get('/api/auth/verify')).status).toBe(401);
    expect((await admin('withdraw-invitation', email)).output).toContain('can only be disabled');
    const unused = `${unique('cli')}@example.com`;
    await admin('invite', unused);
    expect((await admin('withdraw-invitation', unused)).code).toBe(0);
    expect((await admin('list-users')).output).not.toContain(unused);
  });

  it('list-users shows all users, and no secrets', async () => {
    const user = await makeAccount(app, 'staff');
    const { output } = await admin('list-users');
    expect(output).toContain(user.email);
    expect(output).not.toContain('argon2');
  });

  it('verify-activity finds what was changed, and compares with a seal kept elsewhere', async () => {
    const sealed = await startTestApp();
    const { client } = await makeUser(sealed, 'admin');
    const { id } = await makeCustomer(client, { name: 'Nora Erased' });
    expect((await runProgramHere('admin', ['activity-seal'], settingsOf(sealed))).output).toContain(
      'Nothing is sealed yet',
    );
    await sealActivity(sealed.deps);
    const seal = (await runProgramHere('admin', ['activity-seal'], settingsOf(sealed))).output.trim();
    const verify = () => runProgramHere('admin', ['verify-activity', '--seal', seal], settingsOf(sealed));
    const good = await verify();
    expect(good.output).toContain('Every row is as the server wrote it, and none is missing.');
    expect(good.output).toContain(`Newest seal: ${seal} of `);
    expect(good.code).toBe(0);

    expect(
      (await runProgramHere('admin', ['erase-activity', String(id)], settingsOf(sealed))).output,
    ).toContain('Erased the names and values of 1 row.');
    const { activity } = (await client.get(`/api/activity?customer_id=${id}`)).body;
    expect(activity.map((row: { action: string }) => row.action)).toEqual(['customer.created']);
    expect(JSON.stringify(activity)).not.toContain('Nora');
    expect((await verify()).code).toBe(0);

    await sealed.pool.query(`alter table activity disable trigger activity_only_grows;
      update activity set address = '203.0.113.1' where action = 'customer.created'`);
    const bad = await verify();
    expect(bad.output).toMatch(/row \d+ \(customer\.created, [^)]+\) was changed/);
    expect(bad.output).toContain('1 problem found');
    expect(bad.code).toBe(1);
    const [last] = (await client.get('/api/activity?action=activity.verified')).body.activity;
    expect(last.detail).toMatchObject({ problems: 1 });
  });

  it('has these commands, none of which removes a user who has signed in', async () => {
    const { code, output } = await runAdmin(app, ['--help']);
    expect(code).toBe(1);
    expect([...output.matchAll(/^ +npm run admin -- (\S+)/gm)].map(([, command]) => command)).toEqual([
      'create-admin',
      'invite',
      'withdraw-invitation',
      'reset-password',
      'reset-mfa',
      'unlink-company',
      'end-sessions',
      'unlock',
      'disable',
      'enable',
      'set-role',
      'set-name',
      'list-users',
      'verify-activity',
      'accept-activity',
      'activity-seal',
      'erase-activity',
      'import-customers',
      'export-customers',
      'check',
      'extract',
    ]);
  });

  it.each([
    [[], 'create-admin EMAIL [--name NAME]'],
    [['unlock', '-h'], 'import-customers FILE.csv'],
    [['fly'], 'Unknown command: fly'],
    [['unlock'], 'unlock needs an email address'],
    [['unlock', 'nonsense'], 'Invalid email address'],
    [['unlock', 'no.one@example.com'], 'There is no user with the email no.one@example.com'],
    [['set-role', 'no.one@example.com', 'king'], 'The role must be staff or admin'],
    [['verify-activity', '--seal', 'x'], '--seal needs a seal as activity-seal prints it'],
    [['erase-activity'], 'CUSTOMER_ID must be a positive whole number'],
    [['list-users', '--fast'], "Unknown option '--fast'"],
    [['list-users', 'all'], 'Unexpected argument: all'],
    [['import-customers'], 'import-customers needs a file'],
    [['export-customers', 'a.csv', 'b.csv'], 'Unexpected argument: b.csv'],
  ])('says what is wrong with its arguments: %j', async (args, text) => {
    const { code, output } = await admin(...args);
    expect(output).toContain(text);
    expect(code).toBe(1);
    expect(output).not.toContain('    at ');
  });
});

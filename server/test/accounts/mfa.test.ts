import { createHmac } from 'node:crypto';
import { makeUser, type TestUser, testPassword } from '@customer-database/testkit/factories';
import { allTablesAsText, leakedInto } from '@customer-database/testkit/leaks';
import { login, mfaToken, verifyLogin, wrongPassword } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, nextTotpCode, totpCode, wrongTotpCode } from '@customer-database/testkit/totp';
import { Secret, URI } from 'otpauth';
import { beforeAll, describe, expect, it } from 'vitest';

let app: TestApp;
let user: TestUser;

beforeAll(async () => {
  app = await startTestApp();
});

const newUser = async () => {
  user = await makeUser(app, 'staff');
  return user;
};
const start = () => user.client.post('/api/auth/mfa/setup/start');
const confirm = (code: string) => user.client.post('/api/auth/mfa/setup/verify', { code });
const disable = (password: string, code: string) =>
  user.client.post('/api/auth/mfa/disable', { password, code });
const isEnabled = async () => (await user.client.get('/api/auth/verify')).body.user.mfa_enabled;

const alreadyOn = { error: 'MFA is already enabled for your account', code: 'MFA_ALREADY_ENABLED' };
const wrongCode = {
  error: 'Invalid MFA code',
  code: 'INVALID_MFA_CODE',
  fields: { code: 'Invalid MFA code' },
};

describe('POST /api/auth/mfa/setup/start', () => {
  it('returns a seed of 160 bits, its otpauth URL and a QR code, and leaves MFA off', async () => {
    const { email } = await newUser();
    const answer = await start();
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['otpauth_url', 'qr_code', 'secret']);
    expect(Secret.fromBase32(answer.body.secret).bytes).toHaveLength(20);
    const parsed = URI.parse(answer.body.otpauth_url);
    expect(parsed).toMatchObject({ issuer: 'Customer Database', label: email, digits: 6, period: 30 });
    expect(parsed.secret.base32).toBe(answer.body.secret);
    const [type, picture = ''] = answer.body.qr_code.split(',');
    expect(type).toBe('data:image/png;base64');
    expect(Buffer.from(picture, 'base64').subarray(1, 4).toString()).toBe('PNG');
    expect(await isEnabled()).toBe(false);
  });

  it('makes a new seed each time, and only the newest can be confirmed', async () => {
    await newUser();
    const [first, second] = [(await start()).body.secret, (await start()).body.secret];
    expect(first).not.toBe(second);
    expect((await confirm(totpCode(first, app.clock.now()))).status).toBe(400);
    expect((await confirm(totpCode(second, app.clock.now()))).status).toBe(200);
  });

  it('neither replaces an active seed nor shows it again', async () => {
    await newUser();
    const { secret } = await enableMfa(app, user);
    const answer = await start();
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject(alreadyOn);
    expect(answer.body).not.toHaveProperty('secret');
    const again = await confirm(nextTotpCode(app, secret));
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject(alreadyOn);
    const answers = [
      await user.client.get('/api/auth/verify'),
      await user.client.put('/api/auth/profile', { name: 'New name' }),
      await login(app, user.email),
    ];
    expect(leakedInto(JSON.stringify([answer, again, ...answers]), { secret })).toEqual([]);
    const token = await mfaToken(app, user.email);
    expect((await verifyLogin(app, token, nextTotpCode(app, secret))).status).toBe(200);
  });
});

describe('POST /api/auth/mfa/setup/verify', () => {
  it('switches MFA on and returns ten recovery codes', async () => {
    await newUser();
    const { secret } = (await start()).body;
    const answer = await confirm(totpCode(secret, app.clock.now()));
    expect(answer.status).toBe(200);
    expect(answer.body.message).toBe('MFA enabled successfully');
    expect(new Set(answer.body.recovery_codes).size).toBe(10);
    for (const code of answer.body.recovery_codes) expect(code).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){2}$/);
    expect(await isEnabled()).toBe(true);
    expect((await login(app, user.email)).body).toEqual({
      mfa_required: true,
      mfa_token: expect.any(String),
    });
  });

  it('refuses a wrong code with 400 and leaves MFA off', async () => {
    await newUser();
    const { secret } = (await start()).body;
    for (const code of [wrongTotpCode(secret, app.clock.now()), '12345', 'abcdef']) {
      const answer = await confirm(code);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject(wrongCode);
    }
    expect((await confirm('')).body.fields).toEqual({ code: 'MFA code is required' });
    expect(await isEnabled()).toBe(false);
  });

  it('requires a started setup', async () => {
    await newUser();
    const answer = await confirm('123456');
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ error: 'Start the MFA setup first', code: 'MFA_SETUP_NOT_STARTED' });
  });

  it('succeeds once when confirmed several times concurrently', async () => {
    await newUser();
    const { secret } = (await start()).body;
    const code = totpCode(secret, app.clock.now());
    const answers = await Promise.all([1, 2, 3, 4].map(() => confirm(code)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
    const { rows } = await app.pool.query('select count(*) as codes from recovery_codes where user_id = $1', [
      user.id,
    ]);
    expect(rows).toEqual([{ codes: 10 }]);
  });
});

describe('POST /api/auth/mfa/disable', () => {
  it('requires the password and a code, and sign-ins then need no code', async () => {
    await newUser();
    const { secret } = await enableMfa(app, user);
    const answer = await disable(testPassword, nextTotpCode(app, secret));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: 'MFA disabled successfully' });
    expect(await isEnabled()).toBe(false);
    expect((await login(app, user.email)).body.token).toBeTypeOf('string');
    const codes = await app.pool.query('select code_hash from recovery_codes where user_id = $1', [user.id]);
    expect(codes.rows).toEqual([]);
    const logged = await app.pool.query(
      "select action, detail from activity where actor_id = $1 and action like 'mfa.%' order by id",
      [user.id],
    );
    expect(logged.rows).toEqual([
      { action: 'mfa.enabled', detail: null },
      { action: 'mfa.disabled', detail: null },
    ]);
  });

  it('refuses a wrong password or a wrong code with 400, and MFA stays on', async () => {
    await newUser();
    const { secret } = await enableMfa(app, user);
    const code = nextTotpCode(app, secret);
    const text = 'The password is not correct';
    const answer = await disable(wrongPassword, code);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: text, code: 'WRONG_PASSWORD', fields: { password: text } });
    const other = await disable(testPassword, wrongTotpCode(secret, app.clock.now()));
    expect(other.status).toBe(400);
    expect(other.body).toMatchObject(wrongCode);
    for (const body of [{ password: testPassword }, { code }, {}]) {
      expect((await user.client.post('/api/auth/mfa/disable', body)).status).toBe(400);
    }
    expect(await isEnabled()).toBe(true);
  });

  it('returns 409 where MFA is off', async () => {
    await newUser();
    const answer = await disable(testPassword, '123456');
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      error: 'MFA is not enabled for your account',
      code: 'MFA_NOT_ENABLED',
    });
  });

  it('accepts a recovery code, and a new setup makes new ones', async () => {
    await newUser();
    const first = await enableMfa(app, user);
    const [used = '', unused = ''] = first.recoveryCodes;
    expect((await disable(testPassword, used)).status).toBe(200);
    app.clock.advance(60_000);
    await enableMfa(app, user);
    const answer = await verifyLogin(app, await mfaToken(app, user.email), unused);
    expect(answer.status).toBe(401);
  });
});

describe('MFA data in the database', () => {
  it('contains no plain seed, pending or active, and no plain recovery code', async () => {
    await newUser();
    const { secret, recoveryCodes } = await enableMfa(app, user);
    const pending = (await (await newUser()).client.post('/api/auth/mfa/setup/start')).body.secret;
    const secrets: Record<string, string> = {
      secret,
      pending,
      'bytes of the seed': Buffer.from(Secret.fromBase32(secret).bytes).toString('hex'),
      'bytes of the pending seed': Buffer.from(Secret.fromBase32(pending).bytes).toString('hex'),
    };
    for (const [index, code] of recoveryCodes.entries()) {
      secrets[`recovery code ${index}`] = code;
      secrets[`recovery code ${index} without dashes`] = code.replaceAll('-', '');
    }
    expect(leakedInto(await allTablesAsText(app.pool), secrets)).toEqual([]);
  });

  it('contains recovery codes as hashes with a key that is not in the database', async () => {
    const { id } = await newUser();
    const { recoveryCodes } = await enableMfa(app, user);
    const { rows } = await app.pool.query('select code_hash from recovery_codes where user_id = $1', [id]);
    const hashOf = (code: string) =>
      createHmac('sha256', app.deps.keys.fingerprints)
        .update(`recovery:${code.replaceAll('-', '')}`)
        .digest('hex');
    expect(rows.map(({ code_hash }) => code_hash.toString('hex')).sort()).toEqual(
      recoveryCodes.map(hashOf).sort(),
    );
  });

  it('cannot be decrypted for another user', async () => {
    const [one, two] = [await makeUser(app, 'staff'), await makeUser(app, 'staff')];
    const { secret } = await enableMfa(app, one);
    await enableMfa(app, two);
    await app.pool.query(
      'update users set mfa_secret = (select mfa_secret from users where id = $1) where id = $2',
      [one.id, two.id],
    );
    const answer = await verifyLogin(app, await mfaToken(app, two.email), nextTotpCode(app, secret));
    expect(answer.status).toBe(500);
    expect(answer.body).not.toHaveProperty('token');
  });
});

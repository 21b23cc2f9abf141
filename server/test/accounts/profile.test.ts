import { makeUser, type TestUser, unique } from '@customer-database/testkit/factories';
import { login } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

let app: TestApp;
let user: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  user = await makeUser(app, 'staff');
});

const save = (body: unknown) => user.client.put('/api/auth/profile', body);
const saved = async () => (await user.client.get('/api/auth/verify')).body.user;

describe('PUT /api/auth/profile', () => {
  it('sets name, email and phone number, and returns the user', async () => {
    const email = `${unique('New')}@Example.com`;
    const answer = await save({ name: '  Zoë Ångström ', email, phone_number: '+49 30 555' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      message: 'Profile updated successfully',
      user: {
        id: user.id,
        name: 'Zoë Ångström',
        email: email.toLowerCase(),
        phone_number: '+49 30 555',
        role: 'staff',
        mfa_enabled: false,
      },
    });
    expect(await saved()).toEqual(answer.body.user);
  });

  it('moves the sign-in to the new email', async () => {
    const own = await makeUser(app, 'staff');
    const email = `${unique('moved')}@example.com`;
    await own.client.put('/api/auth/profile', { email });
    expect((await login(app, own.email)).status).toBe(401);
    expect((await login(app, email)).status).toBe(200);
  });

  it.each([[null], [''], ['   ']])('clears the phone number with %j', async (phone_number) => {
    await save({ phone_number: '123' });
    expect((await save({ phone_number })).body.user.phone_number).toBeNull();
  });

  it('keeps fields that are not sent', async () => {
    await save({ name: 'Kept', phone_number: '123' });
    const before = await saved();
    expect((await save({ phone_number: '456' })).body.user).toEqual({ ...before, phone_number: '456' });
    expect((await save({})).body.user).toEqual({ ...before, phone_number: '456' });
  });

  it.each([
    [{ name: '' }, 'Name is required'],
    [{ name: 'x'.repeat(201) }, 'Name must be at most 200 characters'],
    [{ name: 'two\nlines' }, 'Name must be a single line of text'],
    [{ email: null }, 'Email is required'],
    [{ email: 'victim@example.com\r\nBcc: x@example.com' }, 'Email must be a single line of text'],
    // These normalise (NFKC) to a comma, an at sign, angle brackets and a blank.
    [{ email: 'a，b@example.com' }, 'Invalid email address'],
    [{ email: 'a＠b@example.com' }, 'Invalid email address'],
    [{ email: '＜a＞@example.com' }, 'Invalid email address'],
    [{ email: 'a¨b@example.com' }, 'Invalid email address'],
    [{ phone_number: 'x'.repeat(51) }, 'Phone number must be at most 50 characters'],
    [{ phone_number: '1\r\n2' }, 'Phone number must be a single line of text'],
  ])('refuses %j', async (body, text) => {
    const before = await saved();
    const answer = await save(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: text, code: 'VALIDATION_FAILED' });
    expect(answer.body.fields).toEqual({ [Object.keys(body)[0] ?? '']: text });
    expect(await saved()).toEqual(before);
  });

  it('refuses the email of another user, in any case', async () => {
    const other = await makeUser(app, 'staff');
    const before = await saved();
    const answer = await save({ email: other.email.toUpperCase(), name: 'Not saved' });
    const text = 'A user with this email already exists';
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ error: text, code: 'EMAIL_TAKEN', fields: { email: text } });
    expect(await saved()).toEqual(before);
    expect((await save({ email: before.email })).status).toBe(200);
  });

  it('gives an email to one of two users who ask for it concurrently', async () => {
    const email = `${unique('wanted')}@example.com`;
    const rivals = await Promise.all([makeUser(app, 'staff'), makeUser(app, 'staff')]);
    const answers = await Promise.all(
      rivals.map((rival) => rival.client.put('/api/auth/profile', { email })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
  });

  it('refuses fields that users may not set', async () => {
    const before = await saved();
    for (const field of ['id', 'role', 'mfa_enabled', 'password', 'password_hash', 'disabled_at']) {
      const answer = await save({ name: 'Not saved', [field]: 'admin' });
      expect(answer.status).toBe(400);
      expect(answer.body.fields).toEqual({ [field]: `${field} is not a field that can be set here` });
    }
    expect(await saved()).toEqual(before);
  });

  it('is logged with the old and new values of what changed', async () => {
    const own = await makeUser(app, 'staff');
    const email = `${unique('moved')}@example.com`;
    await own.client.put('/api/auth/profile', { name: 'New name', email, phone_number: '1' });
    const { rows } = await app.pool.query(
      "select actor_id, subject_id, changes from activity where action = 'user.updated' and actor_id = $1",
      [own.id],
    );
    const changes = {
      name: { from: own.name, to: 'New name' },
      email: { from: own.email, to: email },
      phone_number: { from: null, to: '1' },
    };
    expect(rows).toEqual([{ actor_id: own.id, subject_id: own.id, changes }]);
  });
});

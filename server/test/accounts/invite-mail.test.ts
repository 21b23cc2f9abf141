import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { allTablesAsText, leakedInto } from '@customer-database/testkit/leaks';
import { passwordIn } from '@customer-database/testkit/mail-server';
import { type MailTest, newEmail, startMailTest } from '@customer-database/testkit/mail-test';
import { login } from '@customer-database/testkit/sign-in';
import { beforeAll, describe, expect, it } from 'vitest';

let mail: MailTest;

beforeAll(async () => {
  mail = await startMailTest();
});

/** Sends the invitation with forged Host and forwarding headers. */
function inviteWithForgedHost(email: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${mail.app.url}/api/auth/invite`, {
      method: 'POST',
      headers: {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example',
        origin: 'https://evil.example',
        referer: 'https://evil.example/',
        authorization: `Bearer ${mail.admin.token}`,
        'content-type': 'application/json',
      },
    });
    call.on('error', reject).on('response', async (response) => {
      await text(response);
      resolve(response.statusCode ?? 0);
    });
    call.end(JSON.stringify({ email }));
  });
}

describe('an invitation by mail', () => {
  it('contains the URL of /login and a temporary password that works', async () => {
    const email = newEmail();
    const answer = await mail.invite(email, { name: 'Zoë Ångström' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      message: 'Invitation sent successfully',
      user: expect.objectContaining({ email, name: 'Zoë Ångström', role: 'staff' }),
      delivery: 'mail',
    });
    const received = await mail.onlyMailTo(email);
    expect(received.recipients).toEqual([email]);
    // Prevents out-of-office replies.
    expect(received.head).toContain('Auto-Submitted: auto-generated');
    expect(received.email).toMatchObject({
      from: { name: 'Customer Database', address: 'no-reply@company.example' },
      to: [{ address: email }],
      subject: 'Your invitation to the customer database',
    });
    expect(received.email.text).toContain('Hello Zoë Ångström,');
    expect(received.email.text).toMatch(/^Sign in at: +https:\/\/database\.company\.example\/login$/m);
    const session = await login(mail.app, email, passwordIn(received));
    expect(session.body).toMatchObject({ user: { email }, require_password_change: true });
  });

  it('names the company sign-in where password sign-in is off', async () => {
    const company = await startMailTest({
      OIDC_ISSUER: 'https://sign-in.company.example',
      OIDC_CLIENT_ID: 'customer-database',
      OIDC_CLIENT_SECRET: 'shared-with-the-provider-0123456789',
      OIDC_NAME: 'Acme',
      PASSWORD_SIGN_IN: 'off',
    });
    const email = newEmail();
    expect((await company.invite(email)).body).toMatchObject({ delivery: 'mail' });
    const { text = '' } = (await company.onlyMailTo(email)).email;
    expect(text).toMatch(/^Sign in at: +https:\/\/database\.company\.example\/login$/m);
    expect(text).toMatch(/^Sign in with: +Acme$/m);
    expect(text).not.toMatch(/password/i);
  });

  it('takes its URL from the settings, whatever host the request names', async () => {
    const email = newEmail();
    expect(await inviteWithForgedHost(email)).toBe(201);
    const received = await mail.onlyMailTo(email);
    expect(received.head + received.email.text).not.toContain('evil');
    expect(received.email.text).toContain('https://database.company.example/login');
  });

  it('has no line breaks from a name in its headers, and no further recipients', async () => {
    for (const more of [
      { name: 'Eve\r\nBcc: victim@example.com' },
      { email: 'eve@example.com\r\nBcc: victim@example.com' },
      { email: 'eve@example.com\nvictim@example.com' },
      { email: 'eve@example.com,victim@example.com' },
    ]) {
      expect((await mail.invite(newEmail(), more)).status).toBe(400);
    }
    // No call accepts such a name; if one is ever stored, it must do no harm.
    await mail.goDown();
    const email = newEmail();
    const { user } = (await mail.invite(email)).body;
    await mail.failedAttempts(1);
    const name = 'Eve\r\nBcc: victim@example.com\r\n\r\nHello';
    await mail.app.pool.query('update users set name = $1 where id = $2', [name, user.id]);
    await mail.comeBack();
    const received = await mail.onlyMailTo(email);
    expect(received.recipients).toEqual([email]);
    expect(received.head).not.toContain('victim');
    expect(received.email.bcc).toBeUndefined();
    expect(mail.server().accepted.flatMap(({ recipients }) => recipients)).not.toContain(
      'victim@example.com',
    );
  });

  it('leaves its password in no table while queued and in no log once sent', async () => {
    await mail.goDown();
    const email = newEmail();
    await mail.invite(email);
    await mail.failedAttempts(1);
    const tables = await allTablesAsText(mail.app.pool);
    expect(tables).toContain('sealed_password');
    await mail.comeBack();
    const password = passwordIn(await mail.onlyMailTo(email));
    expect(leakedInto(tables, { password })).toEqual([]);
    expect(leakedInto(await allTablesAsText(mail.app.pool), { password })).toEqual([]);
    const logs = mail.app.logs();
    expect(logs).toContain('send-invitation');
    expect(logs).toContain('ECONNREFUSED');
    expect(leakedInto(logs, { password })).toEqual([]);
    expect(logs).not.toContain('sealed_password');
  });
});

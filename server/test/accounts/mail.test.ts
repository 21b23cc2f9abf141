import type { Answer } from '@customer-database/testkit/client';
import { makeUser } from '@customer-database/testkit/factories';
import { makeJobsDue, pendingJobs } from '@customer-database/testkit/jobs';
import { passwordIn } from '@customer-database/testkit/mail-server';
import { type MailTest, mailSettings, newEmail, startMailTest } from '@customer-database/testkit/mail-test';
import { login } from '@customer-database/testkit/sign-in';
import { startSilentServer } from '@customer-database/testkit/smtp';
import { startTestApp } from '@customer-database/testkit/test-app';
import { enableMfa } from '@customer-database/testkit/totp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let mail: MailTest;

beforeAll(async () => {
  mail = await startMailTest();
});

beforeEach(() => mail.server().refuse(0, 0));

describe('a mail server in trouble', () => {
  it('that defers twice gets the same mail again until it accepts it, once', async () => {
    mail.server().refuse(451, 2);
    const email = newEmail();
    await mail.invite(email);
    expect(await mail.failedAttempts(1)).toContain('451');
    await mail.retryNow();
    await mail.failedAttempts(2);
    await mail.retryNow();
    const received = await mail.onlyMailTo(email);
    const refused = mail.server().refused.filter(({ recipients }) => recipients.includes(email));
    expect(refused).toHaveLength(2);
    for (const earlier of refused) {
      expect(earlier.email.messageId).toBe(received.email.messageId);
      expect(passwordIn(earlier)).toBe(passwordIn(received));
    }
  });

  it('that refuses permanently breaks nothing else', async () => {
    mail.server().refuse(550, 1);
    const refused = newEmail();
    expect((await mail.invite(refused)).status).toBe(201);
    expect(await mail.failedAttempts(1)).toContain('550');
    const accepted = newEmail();
    expect((await mail.invite(accepted)).status).toBe(201);
    await expect.poll(() => mail.mailsTo(accepted).length, { timeout: 10_000 }).toBe(1);
    expect((await mail.app.client().get('/health')).body).toEqual({ status: 'OK' });
    // The server accepts the next attempt.
    await mail.retryNow();
    await mail.onlyMailTo(refused);
    await mail.onlyMailTo(accepted);
  });

  it('that hangs delays no response, and a restart loses no mail', async () => {
    const silent = await startSilentServer();
    const keeper = await startTestApp();
    const stuck = await startTestApp({
      withJobs: true,
      databaseUrl: keeper.databaseUrl,
      env: mailSettings(silent.url),
    });
    const boss = await makeUser(stuck, 'admin');
    const answers: Answer[] = [];
    for (let count = 0; count < 3; count += 1) {
      const start = performance.now();
      answers.push(await boss.client.post('/api/auth/invite', { email: newEmail() }));
      expect(performance.now() - start).toBeLessThan(3_000);
    }
    for (const answer of answers) expect([answer.status, answer.body.delivery]).toEqual([201, 'mail']);
    await expect.poll(() => silent.connections(), { timeout: 10_000 }).toBe(3);
    expect((await boss.client.get('/api/customers')).status).toBe(200);
    expect((await stuck.client().get('/health')).body).toEqual({ status: 'OK' });

    silent.stop();
    await stuck.close();
    // The shutdown waited until all jobs were back in the queue.
    const mails = (await pendingJobs(keeper.pool)).filter(({ name }) => name === 'send-invitation');
    expect(mails).toMatchObject(Array(3).fill({ isRunning: false }));

    await makeJobsDue(keeper.pool);
    const healed = await startTestApp({
      withJobs: true,
      databaseUrl: keeper.databaseUrl,
      env: mailSettings(mail.server().url),
    });
    const received = () => answers.map((answer) => mail.mailsTo(answer.body.user.email).length);
    await expect.poll(received, { timeout: 15_000 }).toEqual([1, 1, 1]);
    await healed.close();
  });

  it('gets only the newest password after a second invitation', async () => {
    await mail.goDown();
    const email = newEmail();
    await mail.invite(email, { name: 'First' });
    await mail.failedAttempts(1);
    await mail.invite(email, { name: 'Second' });
    await mail.failedAttempts(1);
    await mail.comeBack();
    const received = await mail.onlyMailTo(email);
    expect(received.email.text).toContain('Hello Second,');
    expect((await login(mail.app, email, passwordIn(received))).status).toBe(200);
  });
});

describe('a queued mail', () => {
  it('is sent once when the mail server is back, though two instances work on the queue', async () => {
    await mail.goDown();
    const email = newEmail();
    const answer = await mail.invite(email);
    expect([answer.status, answer.body.delivery]).toEqual([201, 'mail']);
    await mail.failedAttempts(1);
    const second = await startTestApp({
      withJobs: true,
      databaseUrl: mail.app.databaseUrl,
      env: mailSettings(mail.server().url),
    });
    await mail.comeBack();
    const received = await mail.onlyMailTo(email);
    expect((await login(second, email, passwordIn(received))).status).toBe(200);
    await second.close();
  });

  it('is not sent to a user who was disabled meanwhile', async () => {
    await mail.goDown();
    const email = newEmail();
    const { user } = (await mail.invite(email)).body;
    await mail.failedAttempts(1);
    await mail.app.pool.query('update users set disabled_at = now() where id = $1', [user.id]);
    await mail.comeBack();
    await mail.queueIsEmpty();
    expect(mail.mailsTo(email)).toEqual([]);
  });
});

describe('a sensitive change', () => {
  it("is reported to the account's owner, at the old address", async () => {
    const { app } = mail;
    const owner = await makeUser(app, 'staff', { name: 'Olga Owner' });
    const email = newEmail();
    expect((await owner.client.put('/api/auth/profile', { email, phone_number: '1' })).status).toBe(200);
    const mailed = await mail.onlyMailTo(owner.email);
    expect(mailed.email.subject).toBe('Your account at the customer database was changed');
    expect(mailed.email.text).toContain('Hello Olga Owner,');
    expect(mailed.email.text).toContain('The email address of your account was changed.');
    expect(mailed.email.text).not.toContain(email);
    expect(mail.mailsTo(email)).toEqual([]);
    // Other changes send no mail.
    expect((await owner.client.put('/api/auth/profile', { email, phone_number: '2' })).status).toBe(200);
    await enableMfa(app, owner);
    const again = await mail.onlyMailTo(email);
    expect(again.email.text).toContain('Multi-factor authentication (MFA) was turned on');
    expect(mail.mailsTo(owner.email)).toHaveLength(1);
  });

  it('such as a new API token is reported with its name and scope, not with the token', async () => {
    const owner = await makeUser(mail.app, 'staff');
    const { body } = await owner.client.post('/api/auth/tokens', { name: 'Reports', scope: 'read' });
    const { email } = await mail.onlyMailTo(owner.email);
    expect(email.text).toContain('An API token was created for your account.');
    expect(email.text).toContain('Token: Reports\nScope: read\n');
    expect(email.text).not.toContain(body.token);
  });
});

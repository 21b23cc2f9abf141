import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runAdmin } from '@customer-database/testkit/admin';
import { Browser } from '@customer-database/testkit/browser';
import type { Client } from '@customer-database/testkit/client';
import { formOf, uploadForm } from '@customer-database/testkit/documents';
import { customerFields, makeCustomer, uploadBody } from '@customer-database/testkit/factories';
import { makeJobsDue, pendingJobs } from '@customer-database/testkit/jobs';
import { allTablesAsText } from '@customer-database/testkit/leaks';
import { type MailServer, passwordIn, type ReceivedMail } from '@customer-database/testkit/mail-server';
import { mailSettings } from '@customer-database/testkit/mail-test';
import { OidcSignIn } from '@customer-database/testkit/oidc-sign-in';
import { freePort } from '@customer-database/testkit/ports';
import { sendRaw } from '@customer-database/testkit/raw-http';
import { login } from '@customer-database/testkit/sign-in';
import { startMailServer } from '@customer-database/testkit/smtp';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, type Mfa, nextTotpCode, wrongTotpCode } from '@customer-database/testkit/totp';
import { expect, vi } from 'vitest';
import { setupCode } from '../../src/modules/accounts/sign-in/first-admin.ts';
import { linkTo, makeEveryCall, storedSecrets } from './every-call.ts';
import { type Recording, recordingTo } from './recording.ts';

const email = 'first@example.com';
const colleague = 'colleague@example.com';
const mailAccount = { user: 'postman', password: 'smtp-Xylophone-4711' };

/** By description; more are added as the server issues them. */
const secrets: Record<string, string> = {
  SECRET_KEY: 'key-Quagga-5c1f3d7b9a2e4f60718293a4b5c6d7e8',
  METRICS_TOKEN: 'metrics-Okapi-0123456789',
  INTERNAL_ACCESS_SECRET: 'internal-Tapir-0123456789',
  S3_SECRET_ACCESS_KEY: 's3-Narwhal-0123456789',
  'password of the mail server': mailAccount.password,
  'first password': 'first Marmot climbs',
  'second password': 'second Marmot sleeps',
  'mistyped password': 'frist Marmot climsb',
  'body of a text file': 'Private: the patient is a Pangolin.',
};
secrets['text file in base64'] = Buffer.from(secrets['body of a text file'] ?? '').toString('base64');
const secret = (name: string) => secrets[name] ?? '';

const internal = { 'x-internal-access': secret('INTERNAL_ACCESS_SECRET') };
const settings = {
  SECRET_KEY: secret('SECRET_KEY'),
  METRICS_TOKEN: secret('METRICS_TOKEN'),
  INTERNAL_ACCESS_SECRET: secret('INTERNAL_ACCESS_SECRET'),
};

const recording: Recording = { answers: [], refusals: [] };

let mailServer: MailServer;
let app: TestApp;
let withoutStorage: TestApp;

const file = { name: 'note.txt', type: 'text/plain', bytes: Buffer.from(secret('body of a text file')) };
const textFile = { filename: file.name, mime_type: file.type, file_data: file.bytes.toString('base64') };

function keep(what: string, value: string): void {
  secrets[`${what} (${Object.keys(secrets).length})`] = value;
}

async function signIn(account: string, password: string, to = app): Promise<Client> {
  const { status, body } = await to.client().post('/api/auth/login', { email: account, password }, internal);
  expect(status).toBe(200);
  keep('token', body.token);
  return to.client(body.token);
}

async function firstSteps(): Promise<Client> {
  secrets['setup code'] = setupCode(app.deps);
  const registration = { name: 'First', email, password: secret('first password') };
  const wrong = { ...registration, setup_code: 'wrong-wrong-wrong' };
  expect((await app.client().post('/api/auth/register', wrong)).status).toBe(403);
  const right = { ...registration, setup_code: secret('setup code') };
  expect((await app.client().post('/api/auth/register', right)).status).toBe(201);
  const mistyped = { email, password: secret('mistyped password') };
  expect((await app.client().post('/api/auth/login', mistyped, internal)).status).toBe(401);
  expect((await login(app, email, secret('first password'))).status, 'without the header').toBe(403);
  const client = await signIn(email, secret('first password'));
  const change = { currentPassword: secret('first password'), newPassword: secret('second password') };
  const bad = { ...change, currentPassword: secret('mistyped password') };
  expect((await client.put('/api/auth/change-password', bad)).status).toBe(400);
  expect((await client.put('/api/auth/change-password', change)).status).toBe(200);
  return client;
}

async function useMfa(client: Client): Promise<Mfa> {
  const mfa = await enableMfa(app, { client });
  const { secret: seed, confirmCode, recoveryCodes } = mfa;
  Object.assign(secrets, { seed, 'code that confirmed': confirmCode });
  for (const code of recoveryCodes) keep('recovery code', code);
  const signInCode = nextTotpCode(app, seed);
  const wrongCode = wrongTotpCode(seed, app.clock.now());
  Object.assign(secrets, { 'code of a sign-in': signInCode, 'wrong code': wrongCode });
  for (const [code, status] of [
    [wrongCode, 401],
    [signInCode, 200],
    [recoveryCodes[0] ?? '', 200],
    [recoveryCodes[0] ?? '', 401],
  ] as const) {
    const credentials = { email, password: secret('second password') };
    const { mfa_token } = (await app.client().post('/api/auth/login', credentials, internal)).body;
    const answer = await app.client().post('/api/auth/mfa/verify-login', { mfa_token, code }, internal);
    expect(answer.status).toBe(status);
  }
  expect((await client.get('/api/auth/verify')).body.user.mfa_enabled).toBe(true);
  expect((await client.put('/api/auth/profile', { phone_number: '030 1' })).status).toBe(200);
  return mfa;
}

async function disableMfa(client: Client, { secret: seed }: Mfa): Promise<void> {
  const code = nextTotpCode(app, seed);
  secrets['code that disabled'] = code;
  const proof = { password: secret('second password'), code };
  expect((await client.post('/api/auth/mfa/disable', proof)).status).toBe(200);
}

async function invite(client: Client): Promise<void> {
  // A notice that is still waiting would be refused in place of the invitation.
  const waiting = async () => (await pendingJobs(app.pool)).filter(({ name }) => name === 'send-notice');
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), { timeout: 10_000 });
  mailServer.refuse(451, 1);
  expect((await client.post('/api/auth/invite', { email: colleague })).body.delivery).toBe('mail');
  await vi.waitFor(() => expect(app.logs()).toContain('"job failed"'), { timeout: 10_000 });
  await makeJobsDue(app.pool);
  const invitationsIn = (mails: ReceivedMail[]) =>
    mails.filter(({ recipients }) => recipients.includes(colleague));
  await vi.waitFor(() => expect(invitationsIn(mailServer.accepted)).toHaveLength(1), { timeout: 10_000 });
  for (const mail of invitationsIn([...mailServer.accepted, ...mailServer.refused])) {
    secrets['mailed password'] = passwordIn(mail);
  }
  await signIn(colleague, secret('mailed password'));
}

async function handOver(client: Client): Promise<void> {
  const { status, body } = await client.post('/api/auth/invite', { email: 'other@example.com' });
  expect(status).toBe(201);
  expect(body.temporary_password).toMatch(/\S/);
}

async function useDocuments(client: Client): Promise<void> {
  const { id } = await makeCustomer(client);
  const uploads = [
    await client.post('/api/documents', uploadBody(id, textFile)),
    await uploadForm(client, formOf({ customer_id: id, filename: 'other.txt', mime_type: file.type }, file)),
    await uploadForm(client, formOf({ customer_id: id }, file), '/api/documents/upload'),
  ];
  for (const { status, body } of uploads) {
    expect(status, JSON.stringify(body)).toBe(201);
    for (const purpose of ['download', 'view'] as const) {
      const link = await linkTo(app, client, body.document.id, purpose);
      keep('signature', link.searchParams.get('signature') ?? '');
      expect((await app.client().get(link.href)).body).toBe(secret('body of a text file'));
      link.searchParams.set('user', '999');
      expect((await app.client().get(link.href)).status).toBe(403);
    }
  }
  const [documentId, otherId] = uploads.map(({ body }) => body.document.id);
  const thumbnail = async () =>
    (await client.get(`/api/documents/${documentId}`)).body.document.thumbnail_url;
  await vi.waitFor(async () => expect(await thumbnail()).toBeTruthy(), { timeout: 60_000, interval: 100 });
  await makeEveryCall(app, internal, id, documentId);
  const folder = join(app.deps.config.dataDir, 'objects');
  const link = await linkTo(app, client, documentId, 'view');
  await rename(folder, `${folder}-away`);
  expect((await app.client().get(link.href)).status).toBe(503);
  expect((await client.post('/api/documents', uploadBody(id, textFile))).status).toBe(503);
  expect((await client.delete(`/api/documents/${otherId}`)).status).toBe(200);
  const failure = /"job":"delete-object".*"job failed"/;
  await vi.waitFor(() => expect(app.logs()).toMatch(failure), { timeout: 10_000 });
  await rename(`${folder}-away`, folder);
}

/** Requests that fail in ways that make servers log their input. */
async function goWrong(client: Client): Promise<void> {
  const password = secret('second password');
  const login = (body: string, type: string) =>
    app
      .client()
      .send('/api/auth/login', { method: 'POST', headers: { ...internal, 'content-type': type }, body });
  expect((await login(`{"email":"${email}","password":"${password}"`, 'application/json')).status).toBe(400);
  expect((await login(`["${password}"]`, 'application/json')).status).toBe(400);
  expect((await login(`email=${email}&password=${password}`, 'text/plain')).status).toBe(415);
  expect(
    (await login(JSON.stringify({ email: password, password, [password]: 1 }), 'application/json')).status,
  ).toBe(400);
  // This answer names the unknown field, unlike the log.
  recording.refusals.pop();
  const token = Object.entries(secrets).find(([name]) => name.startsWith('token'))?.[1];
  expect((await app.client().get(`/api/nowhere?token=${token}`)).status).toBe(404);
  expect((await app.client().get(`/login?password=${encodeURIComponent(password)}`)).status).toBe(200);
  expect((await sendRaw(app.url, { target: `/%zz?token=${token}` })).status).toBe(400);
  expect((await sendRaw(app.url, { target: `/${token}%zz` })).status).toBe(400);
  expect((await app.client(`${token}x`).get('/api/customers')).status).toBe(401);
  expect((await app.client().get('/metrics', { authorization: `Bearer ${token}` })).status).toBe(401);
  const metrics = { authorization: `Bearer ${secret('METRICS_TOKEN')}` };
  expect((await app.client().get('/metrics', metrics)).status).toBe(200);
  const upload = { ...uploadBody(1, textFile), file_data: `${textFile.file_data}!` };
  expect((await client.post('/api/documents', upload)).status).toBe(400);
  await app.pool.query("alter table users add constraint forced check (name <> 'Forced') not valid");
  expect((await client.put('/api/auth/profile', { name: 'Forced' })).status).toBe(500);
  await app.pool.query('alter table users drop constraint forced');
}

async function importCustomers(): Promise<string> {
  const csv = join(app.deps.config.dataDir, 'customers.csv');
  const { name, dob } = customerFields();
  await writeFile(csv, `name,dob,email\n${name},${dob},a@example.com\nNobody,never,b@example.com\n`);
  const refused = await runAdmin(app, ['import-customers', csv], settings);
  expect(refused.code).toBe(1);
  const { code, output } = await runAdmin(app, ['import-customers', csv, '--skip-bad'], settings);
  expect(code, output).toBe(0);
  return refused.output + output;
}

async function loseStorage(): Promise<void> {
  const client = await signIn(email, secret('second password'), withoutStorage);
  await handOver(client);
  const { id } = await makeCustomer(client);
  expect((await client.post('/api/documents', uploadBody(id, textFile))).status).toBe(503);
  expect((await withoutStorage.client().get('/s3/health')).status).toBe(503);
}

export type Journey = Recording & {
  /** What must not leak, by description. */
  secrets: Record<string, string>;
  /** Password hashes, encrypted seeds and storage keys. */
  stored: string[];
  log(): string;
  /** Output of the command line. */
  printed: string;
  /** Everything in the database. */
  tables: string;
  app: TestApp;
};

/**
 * Uses the whole API, rightly and wrongly, with recognisable secrets. Two servers share
 * one database: a healthy one, and one without storage and mail server.
 */
export async function goThroughEverything(): Promise<Journey> {
  mailServer = await startMailServer(0, mailAccount);
  const smtp = new URL(mailServer.url);
  Object.assign(smtp, { username: mailAccount.user, password: mailAccount.password });
  const oidc = await OidcSignIn.start();
  const env = { ...mailSettings(smtp.href), ...settings, PUBLIC_URL: oidc.publicUrl };
  app = recordingTo(recording, await oidc.startApp(env, { withJobs: true }));
  withoutStorage = recordingTo(
    recording,
    await startTestApp({
      databaseUrl: app.databaseUrl,
      env: {
        ...settings,
        S3_BUCKET: 'documents',
        S3_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
        S3_ACCESS_KEY_ID: 'id',
        S3_SECRET_ACCESS_KEY: secret('S3_SECRET_ACCESS_KEY'),
      },
    }),
  );
  const client = await firstSteps();
  const mfa = await useMfa(client);
  oidc.provider.person = oidc.person({ email }).sub;
  const browser = new Browser();
  await oidc.openCallback(browser, await oidc.toCallback(browser, app), app);
  const answer = await oidc.finish(browser, app, internal);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  recording.answers.push({ name: 'POST /api/auth/oidc/finish', answer });
  await invite(client);
  await useDocuments(client);
  const stored = await storedSecrets(app);
  await disableMfa(client, mfa);
  await goWrong(client);
  const printed = await importCustomers();
  await loseStorage();
  expect((await client.post('/api/auth/logout')).status).toBe(200);
  for (const { answer } of recording.answers) {
    for (const name of ['token', 'mfa_token', 'temporary_password']) {
      if (answer.body[name]) keep(name, answer.body[name]);
    }
  }
  const log = () => app.logs() + withoutStorage.logs();
  return { ...recording, secrets, stored, log, printed, tables: await allTablesAsText(app.pool), app };
}

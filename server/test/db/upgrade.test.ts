import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Activity } from '@customer-database/contract/activity-response';
import { restore, temporaryFolder } from '@customer-database/testkit/backups';
import { afterTest } from '@customer-database/testkit/cleanup';
import { type Client, createClient } from '@customer-database/testkit/client';
import { download } from '@customer-database/testkit/documents';
import { enqueueScheduled, pendingJobs } from '@customer-database/testkit/jobs';
import { openMailServer, passwordIn } from '@customer-database/testkit/mail-server';
import { mailSettings } from '@customer-database/testkit/mail-test';
import { createTestDatabase } from '@customer-database/testkit/test-app';
import { totpCode } from '@customer-database/testkit/totp';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { readConfig } from '../../src/core/config.ts';
import { createLog } from '../../src/core/log.ts';
import { createDatabase, createPool } from '../../src/db/client.ts';
import { startServer } from '../../src/start/server.ts';

const fixture = fileURLToPath(new URL('../fixtures/upgrade/', import.meta.url));
const facts = JSON.parse(await readFile(join(fixture, 'facts.json'), 'utf8'));
const objectsBefore = 4;

type Installation = { DATABASE_URL: string; DATA_DIR: string; SECRET_KEY: string };

async function emptyInstallation(): Promise<Installation> {
  return {
    DATABASE_URL: await createTestDatabase({ empty: true }),
    DATA_DIR: await temporaryFolder(),
    SECRET_KEY: 'a-key-for-tests-0123456789abcdef-0123456789abcdef',
  };
}

async function withDatabase<T>({ DATABASE_URL }: Installation, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client(DATABASE_URL);
  await client.connect();
  return work(client).finally(() => client.end());
}

/** The installation as it was stopped, as if that had been a moment ago. */
async function stoppedInstallation(): Promise<Installation> {
  const installation = await emptyInstallation();
  await withDatabase(installation, async (client) => {
    await client.query(await readFile(join(fixture, 'installation.sql'), 'utf8'));
    await client.query(`
      update public.sessions set created_at = now(), last_seen_at = now(), expires_at = now() + interval '1 day';
      update public.users set password_expires_at = now() + interval '1 day' where password_expires_at is not null;`);
  });
  await cp(join(fixture, 'objects'), join(installation.DATA_DIR, 'objects'), { recursive: true });
  return installation;
}

async function start(installation: Installation, env: Record<string, string> = {}): Promise<string> {
  const server = await startServer(readConfig({ ...installation, PORT: '0', ...env }), createLog('silent'), {
    stopping: new AbortController().signal,
    prepare: async () => undefined,
    onDatabaseLost: () => undefined,
  });
  afterTest(() => server.stop());
  return server.url;
}

/** The person with MFA signs in. */
async function signIn(url: string): Promise<Client> {
  const { email, password, secret } = facts.mate;
  const { body } = await createClient(url).post('/api/auth/login', { email, password });
  const input = { mfa_token: body.mfa_token, code: totpCode(secret, new Date()) };
  const answer = await createClient(url).post('/api/auth/mfa/verify-login', input);
  expect(answer.status).toBe(200);
  return createClient(url, answer.body.token);
}

async function expectRecords(client: Client): Promise<void> {
  expect((await client.get('/api/customers?limit=100')).body.customers).toEqual(facts.customers);
  for (const { id, filename, base64 } of facts.documents) {
    expect((await client.get(`/api/documents/${id}`)).body.document.filename).toBe(filename);
    expect((await download(client, id)).toString('base64')).toBe(base64);
  }
  const found = await client.post('/api/customers/search', { name: 'zolc' });
  expect(found.body.customers).toMatchObject([{ name: 'Łukasz Żółć' }]);
}

/** By a job that the schedule would begin within a minute. */
async function expectTextsRead({ DATABASE_URL }: Installation, client: Client): Promise<void> {
  const pool = createPool(DATABASE_URL, 1, createLog('silent'));
  await enqueueScheduled(createDatabase(pool), 'extract-texts').finally(() => pool.end());
  const stateOf = async ({ id }: { id: number }) =>
    (await client.get(`/api/documents/${id}`)).body.document.text.state;
  await vi.waitFor(
    async () =>
      expect(await Promise.all(facts.documents.map(stateOf))).toEqual(['failed', 'failed', 'ready']),
    { timeout: 30_000, interval: 100 },
  );
}

/** Older rows did not name the customer; that of a deleted document is known from its deletion. */
async function expectCustomersInLog(client: Client): Promise<void> {
  const { activity } = (await client.get('/api/activity?customer_id=2')).body;
  expect(activity.map(({ action, subject_id }: Activity) => `${action} ${subject_id}`)).toEqual(
    expect.arrayContaining(['document.deleted 4', 'document.uploaded 4', 'customer.created 2']),
  );
}

async function objectsIn({ DATA_DIR }: Installation): Promise<number> {
  const entries = await readdir(join(DATA_DIR, 'objects', 'documents'), {
    recursive: true,
    withFileTypes: true,
  });
  return entries.filter((entry) => entry.isFile()).length;
}

it('An installation of an earlier version starts with this one and has lost nothing, waiting jobs included', async () => {
  const installation = await stoppedInstallation();
  expect(await objectsIn(installation)).toBe(objectsBefore);
  const mails = await openMailServer();
  afterTest(() => mails.stop());
  const { PUBLIC_URL: _, ...smtp } = mailSettings(mails.url);
  const url = await start(installation, smtp);

  // A session goes on, the person with MFA can sign in.
  const client = createClient(url, facts.token);
  expect((await client.get('/api/auth/verify')).status).toBe(200);
  await expectRecords(client);
  await expectRecords(await signIn(url));
  expect((await client.get(`/api/documents/${facts.deleted.id}`)).status).toBe(404);

  // The invitation and the notice arrive, and the object of the deleted document goes.
  const recipients = () => mails.accepted.flatMap((mail) => mail.recipients).toSorted();
  const expected = expect.arrayContaining([facts.invited, facts.mate.email]);
  await vi.waitFor(() => expect(recipients()).toEqual(expected), { timeout: 20_000 });
  const invitation = mails.accepted.find((mail) => mail.recipients.includes(facts.invited));
  const password = invitation && passwordIn(invitation);
  const welcome = await createClient(url).post('/api/auth/login', { email: facts.invited, password });
  expect(welcome.body).toMatchObject({ require_password_change: true });
  await vi.waitFor(async () => expect(await objectsIn(installation)).toBe(objectsBefore - 1), 20_000);
  await withDatabase(installation, async (database) => {
    // Scheduled jobs, which have no key, are added all the time.
    const unscheduled = async () => (await pendingJobs(database)).filter(({ key }) => key !== null);
    await vi.waitFor(async () => expect(await unscheduled()).toEqual([]), 10_000);
    const { rows } = await database.query(`select from pg_namespace where nspname = 'graphile_worker'`);
    expect(rows).toEqual([]);
  });
  await expectTextsRead(installation, client);
  await expectCustomersInLog(client);
}, 60_000);

it('A backup made by an earlier version can be restored', async () => {
  const installation = await emptyInstallation();
  const { code, stdout, stderr } = await restore([join(fixture, 'backup')], installation);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).toContain('5 customers, 4 documents');
  const client = await signIn(await start(installation));
  await expectRecords(client);
  const { id, base64 } = facts.deleted;
  expect((await download(client, id)).toString('base64')).toBe(base64);
}, 60_000);

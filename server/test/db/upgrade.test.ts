import { hash } from 'node:crypto';
import { once } from 'node:events';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startProgram } from '@customer-database/testkit/admin';
import { SoftwareAuthenticator } from '@customer-database/testkit/authenticator';
import { restore, temporaryFolder } from '@customer-database/testkit/backups';
import { afterTest } from '@customer-database/testkit/cleanup';
import { type Client, createClient } from '@customer-database/testkit/client';
import { download } from '@customer-database/testkit/documents';
import { pendingJobs } from '@customer-database/testkit/jobs';
import { openMailServer, passwordIn } from '@customer-database/testkit/mail-server';
import { mailSettings } from '@customer-database/testkit/mail-test';
import { prepareDatabase } from '@customer-database/testkit/prepare-database';
import { search, waitUntilRead } from '@customer-database/testkit/search';
import { createTestDatabase } from '@customer-database/testkit/test-app';
import { totpCode } from '@customer-database/testkit/totp';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/core/config.ts';
import { createLog } from '../../src/core/log.ts';
import { startServer } from '../../src/start/server.ts';
import { startupText } from '../../src/start/startup-errors.ts';
import { schemaText } from './schema-text.ts';

const fixture = fileURLToPath(new URL('../fixtures/version-0.9/', import.meta.url));
const facts = JSON.parse(await readFile(join(fixture, 'facts.json'), 'utf8'));

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

/** The installation as version 0.9 stopped, as if that had been a moment ago. */
async function stoppedInstallation(): Promise<Installation> {
  const installation = await emptyInstallation();
  await withDatabase(installation, async (client) => {
    await client.query(await readFile(join(fixture, 'installation.sql'), 'utf8'));
    await client.query(`
      update public.sessions set created_at = now(), last_seen_at = now(), expires_at = now() + interval '1 day';
      update public.api_tokens set expires_at = now() + interval '1 day';
      update public.users set password_expires_at = now() + interval '1 day' where password_expires_at is not null;
      -- As in documents of early versions.
      update public.documents set crc32 = null where id = 2;`);
  });
  await cp(join(fixture, 'data-folder'), installation.DATA_DIR, { recursive: true });
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

/** A receiver of ACTIVITY_WEBHOOK that keeps the numbers of the rows it gets. */
async function startReceiver() {
  const numbers: number[] = [];
  const receiver = createServer(async (request, response) => {
    const { activity } = (await json(request)) as { activity: { number: number }[] };
    numbers.push(...activity.map(({ number }) => number));
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  afterTest(async () => receiver.close());
  const { port } = receiver.address() as AddressInfo;
  const ACTIVITY_WEBHOOK_SECRET = '5e1f0b7c9d3a4e2f8b6c7d9e0a1b2c3d';
  return { numbers, settings: { ACTIVITY_WEBHOOK: `http://127.0.0.1:${port}/`, ACTIVITY_WEBHOOK_SECRET } };
}

async function signInWithMfa(url: string, code: string): Promise<Client> {
  const { email, password } = facts.mate;
  const { body } = await createClient(url).post('/api/auth/login', { email, password });
  const input = { mfa_token: body.mfa_token, code };
  const answer = await createClient(url).post('/api/auth/mfa/verify-login', input);
  expect(answer.status).toBe(200);
  return createClient(url, answer.body.token);
}

async function signInWithPasskey(url: string): Promise<Client> {
  const device = new SoftwareAuthenticator(new URL(url).origin, facts.passkey);
  const { options, state } = (await createClient(url).post('/api/auth/passkeys/sign-in/start')).body;
  const input = { state, response: device.authenticate(options) };
  const answer = await createClient(url).post('/api/auth/passkeys/sign-in/finish', input);
  expect(answer.status).toBe(200);
  return createClient(url, answer.body.token);
}

type KeptDocument = { id: number; filename: string; sha256: string; state: string };

async function expectDocument(client: Client, { id, filename, sha256 }: KeptDocument): Promise<void> {
  expect((await client.get(`/api/documents/${id}`)).body.document.filename).toBe(filename);
  expect(hash('sha256', await download(client, id))).toBe(sha256);
}

const documentsFound = async (client: Client, word: string) =>
  (await search(client, word)).pages.items.map(({ document }) => document.filename);

async function expectFound(client: Client): Promise<void> {
  const found = await client.post('/api/customers/search', { name: 'zolc' });
  expect(found.body.customers).toMatchObject([{ name: 'Łukasz Żółć' }]);
  expect(await documentsFound(client, 'heliometer')).toEqual(['contract.pdf']);
  expect(await documentsFound(client, 'quarzglas')).toEqual(['Größe.txt']);
}

async function expectTotals(client: Client, totals: Record<'customers' | 'documents', number>) {
  const { customers, documents } = (await client.get('/api/dashboard')).body;
  expect({ customers: customers.total, documents: documents.total }).toEqual(totals);
}

/** The activity log, with three rows that early versions did not sign. */
async function verifyActivity(installation: Installation): Promise<string> {
  const { output } = await startProgram('admin', ['verify-activity'], installation).result;
  return output;
}

const intact = 'Every row is as the server wrote it, and none is missing.';

const refusalOf = (installation: Installation) =>
  start(installation).then(
    () => 'it started',
    (error: unknown) => startupText(error),
  );

/** The backup of version 0.9, as if an older version had made it. */
async function backupOfSchema(version: number): Promise<string> {
  const folder = await temporaryFolder();
  await cp(join(fixture, 'backup'), folder, { recursive: true });
  const [id = ''] = await readdir(join(folder, 'backups'));
  const file = join(folder, 'backups', id, 'manifest.json');
  const text = JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), schema_version: version });
  await writeFile(file, text);
  await writeFile(join(folder, 'backups', id, 'manifest.sha256'), hash('sha256', text));
  return folder;
}

async function objectsIn({ DATA_DIR }: Installation): Promise<number> {
  const entries = await readdir(join(DATA_DIR, 'objects', 'documents'), {
    recursive: true,
    withFileTypes: true,
  });
  return entries.filter((entry) => entry.isFile()).length;
}

describe('An installation of version 0.9', () => {
  it('starts with this version and has lost nothing', async () => {
    const installation = await stoppedInstallation();
    const url = await start(installation);

    const client = createClient(url, facts.session);
    expect((await client.get('/api/auth/verify')).status).toBe(200);
    const people = [
      await signInWithMfa(url, totpCode(facts.mate.secret, new Date())),
      await signInWithMfa(url, facts.mate.recovery_codes[0]),
      await signInWithPasskey(url),
      createClient(url, facts.apiToken),
    ];
    for (const each of [client, ...people]) {
      expect((await each.get('/api/customers?limit=100')).body.customers).toEqual(facts.customers);
    }
    for (const document of facts.documents) await expectDocument(client, document);
    expect((await client.get(`/api/documents/${facts.deleted.id}`)).status).toBe(404);
    await expectFound(client);
    await expectTotals(client, facts.totals);
    expect(await verifyActivity(installation)).toContain(intact);

    const [first] = facts.documents;
    const { thumbnail_url } = (await client.get(`/api/documents/${first.id}`)).body.document;
    expect((await fetch(new URL(thumbnail_url, url))).status).toBe(200);
    const file_data = (await download(client, first.id)).toString('base64');
    const again = await client.post('/api/documents', { ...facts.upload, file_data });
    expect(again.body.document.id).toBe(first.id);
  }, 60_000);

  it('does the work that waited in its queue', async () => {
    const installation = await stoppedInstallation();
    const objectsBefore = await objectsIn(installation);
    const mails = await openMailServer();
    afterTest(() => mails.stop());
    const { PUBLIC_URL: _, ...smtp } = mailSettings(mails.url);
    const { numbers, settings } = await startReceiver();
    const url = await start(installation, { ...smtp, ...settings });
    const client = createClient(url, facts.session);

    const patient = { timeout: 20_000, interval: 50 };
    const invitation = await vi.waitFor(() => {
      const found = mails.accepted.find(({ recipients }) => recipients.includes(facts.invited));
      expect(found).toBeDefined();
      return found;
    }, patient);
    const password = invitation && passwordIn(invitation);
    const welcome = await createClient(url).post('/api/auth/login', { email: facts.invited, password });
    expect(welcome.body).toMatchObject({ require_password_change: true });
    await vi.waitFor(async () => expect(await objectsIn(installation)).toBe(objectsBefore - 1), patient);
    await withDatabase(installation, async (database) => {
      // The schedules add jobs without a key all the time.
      const unscheduled = async () => (await pendingJobs(database)).filter(({ key }) => key !== null);
      await vi.waitFor(async () => expect(await unscheduled()).toEqual([]), patient);
    });
    await waitUntilRead(client);
    expect(await documentsFound(client, 'xylophone')).toEqual(['waiting.txt']);
    await vi.waitFor(() => expect(numbers[0]).toBe(facts.forwarded + 1), patient);
  }, 60_000);
});

describe('The upgrade from version 0.9', () => {
  it('makes the schema that a new installation has', async () => {
    const [upgraded, fresh] = [await stoppedInstallation(), await emptyInstallation()];
    const [found, expected] = await Promise.all(
      [upgraded, fresh].map((installation) =>
        withDatabase(installation, async (database) => {
          await prepareDatabase(installation.DATABASE_URL);
          return schemaText(database);
        }),
      ),
    );
    expect(expected?.length).toBeGreaterThan(200);
    expect(found).toEqual(expected);
  });

  it('signs no row that version 0.9 did not write', async () => {
    const installation = await stoppedInstallation();
    await withDatabase(installation, (database) =>
      database.query(`insert into public.activity (at, action, actor_label, subject_type, shown)
        values (now(), 'user.enabled', 'a forger', 'user', false)`),
    );
    const output = await verifyActivity(installation);
    expect(output).toMatch(/^row 31 \(user\.enabled, .*\) was changed, or not written by this program$/m);
  });

  it('needs version 0.9: older databases and backups are refused', async () => {
    const installation = await stoppedInstallation();
    await withDatabase(installation, (database) =>
      database.query('delete from public.schema_migrations where version > 13'),
    );
    expect(await refusalOf(installation)).toBe(
      'The database was made by a version before 0.9 (its schema is 13). ' +
        'Start version 0.9 on it once, then this version.',
    );
    const { code, stderr } = await restore([await backupOfSchema(13)], await emptyInstallation());
    expect(stderr).toContain(
      'The backup was made by a version before 0.9 (its schema is 13). ' +
        'Restore it with version 0.9, then start this version.',
    );
    expect(code).toBe(1);
  }, 60_000);
});

it('A backup made by version 0.9 can be restored', async () => {
  const installation = await emptyInstallation();
  const { code, stdout, stderr } = await restore([join(fixture, 'backup')], installation);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).toContain('5 customers, 4 documents');
  const url = await start(installation);
  const client = await signInWithMfa(url, totpCode(facts.mate.secret, new Date()));
  await signInWithPasskey(url);
  const { customers } = (await client.get('/api/customers?limit=100')).body;
  expect(customers).toHaveLength(facts.customers.length);
  const kept = facts.documents.filter(({ state }: KeptDocument) => state === 'ready');
  for (const document of [...kept, facts.deleted]) await expectDocument(client, document);
  await expectFound(client);
  await expectTotals(client, { customers: 5, documents: 4 });
  expect(await verifyActivity(installation)).toContain(intact);
}, 60_000);

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { baseEnvironment } from '@customer-database/testkit/base-environment';
import { afterTest } from '@customer-database/testkit/cleanup';
import { createClient } from '@customer-database/testkit/client';
import { customerFields } from '@customer-database/testkit/factories';
import { freePort } from '@customer-database/testkit/ports';
import {
  copyDataFolder,
  makeDataFolder,
  startFailing,
  startRunning,
} from '@customer-database/testkit/server-process';
import { createTestDatabase } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/core/config.ts';
import { createLog } from '../../src/core/log.ts';
import { startServer } from '../../src/start/server.ts';
import { startupText } from '../../src/start/startup-errors.ts';

const program = fileURLToPath(new URL('../../src/start/main.ts', import.meta.url));

let dataDir: string;

beforeAll(async () => {
  dataDir = await makeDataFolder();
});

const startOk = (env: Record<string, string> = {}) => startRunning({ DATA_DIR: dataDir, ...env });
const startRefused = (env: Record<string, string>) => startFailing({ DATA_DIR: dataDir, ...env });

const admin = { name: 'First', email: 'first@example.com', password: 'a password of some length' };

async function signIn(url: string) {
  const answer = await createClient(url).post('/api/auth/login', {
    email: admin.email,
    password: admin.password,
  });
  return createClient(url, answer.body.token);
}

describe('the server process', () => {
  it('starts from nothing, survives kill -9 without data loss, refuses a second one, and stops', async () => {
    const first = await startOk();
    expect((await createClient(first.url).get('/health')).body).toEqual({ status: 'OK' });
    expect((await createClient(first.url).get('/api/auth/setup')).body).toMatchObject({
      needs_first_admin: true,
    });
    const registered = await createClient(first.url).post('/api/auth/register', {
      ...admin,
      setup_code: first.setupCode,
    });
    expect(registered.status).toBe(201);
    const created = await (await signIn(first.url)).post('/api/customers', customerFields());
    expect(created.status).toBe(201);

    const second = await startRefused({});
    expect(second.code).toBe(1);
    expect(second.output).toContain(dataDir);
    expect(second.output).not.toContain('    at ');

    first.child.kill('SIGKILL');
    await first.exited;

    const again = await startOk();
    expect(again.setupCode).toBeUndefined();
    const found = await (await signIn(again.url)).get(`/api/customers/${created.body.customer.id}`);
    expect(found.body.customer).toEqual(created.body.customer);

    again.child.kill('SIGTERM');
    expect(await again.exited).toBe(0);
    await expect(fetch(`${again.url}/health`)).rejects.toThrow();
  }, 120_000);

  it('keeps its secrets private to its user', async () => {
    for (const file of ['secret.key', 'postgres.json']) {
      expect((await stat(join(dataDir, file))).mode & 0o077, file).toBe(0);
    }
  });

  it('creates the administrator from the settings', async () => {
    const own = await copyDataFolder();
    const server = await startOk({ DATA_DIR: own, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password });
    expect(server.setupCode).toBeUndefined();
    expect((await (await signIn(server.url)).get('/api/auth/verify')).body.user.role).toBe('admin');
    server.child.kill('SIGINT');
    expect(await server.exited).toBe(0);
  }, 60_000);

  it('keeps running, and stops in time, when its log cannot be written', async () => {
    const own = await copyDataFolder();
    const port = await freePort();
    // Every write there fails as on a full disk.
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [program], {
      env: { ...baseEnvironment(), DATA_DIR: own, PORT: String(port), LOG_LEVEL: 'trace' },
      stdio: ['ignore', full, full],
    });
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    closeSync(full);
    const client = createClient(`http://127.0.0.1:${port}`);
    const isHealthy = async () => expect((await client.get('/health')).status).toBe(200);
    await vi.waitFor(isHealthy, { timeout: 30_000, interval: 100 });
    // Far more lines than are buffered.
    for (let request = 0; request < 300; request += 1) await client.get('/api/customers');
    await isHealthy();
    const askedAt = Date.now();
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(Date.now() - askedAt).toBeLessThan(15_000);
  }, 60_000);

  it('prints an address with a name, which passkeys need, and answers at all that it may mean', async () => {
    const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
      all?.some(({ address }) => address === '::1'),
    );
    const named = await startOk();
    const { port } = new URL(named.url);
    expect(named.output()).toContain(`is running at http://localhost:${port}"`);
    for (const host of ['127.0.0.1', ...(hasIPv6 ? ['[::1]'] : [])])
      expect((await fetch(`http://${host}:${port}/health`)).status).toBe(200);
    named.child.kill('SIGTERM');
    expect(await named.exited).toBe(0);
    if (!hasIPv6) return;
    const another = createServer().listen(Number(port), '::1');
    await new Promise((resolve) => another.once('listening', resolve));
    const numeric = await startOk({ PORT: port });
    expect(numeric.output()).toContain(`is running at http://127.0.0.1:${port}"`);
    another.close();
    numeric.child.kill('SIGTERM');
    expect(await numeric.exited).toBe(0);
  }, 60_000);

  it('starts without its document storage, and logs at once what to check', async () => {
    const access = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'not-the-right-one-4711' };
    const store = { S3_BUCKET: 'no-such-bucket', S3_ENDPOINT: 'http://127.0.0.1:1', ...access };
    const server = await startRunning({ DATA_DIR: await copyDataFolder(), ...store });
    await expect
      .poll(server.output, { timeout: 20_000 })
      .toContain('the document storage cannot be used: check S3_BUCKET, S3_ENDPOINT and the keys');
    server.child.kill('SIGTERM');
    await server.exited;
  }, 60_000);

  it('keeps the data of a demo beside DATA_DIR, and prints its accounts', async () => {
    const DATA_DIR = await makeDataFolder();
    const beside = `${DATA_DIR}-demo`;
    afterTest(() => rm(beside, { recursive: true }));
    await mkdir(beside, { mode: 0o755 });
    // Making the records takes long; demo.test.ts does.
    await writeFile(join(beside, 'demo-finished'), '');
    const account = { email: 'admin@example.com', role: 'admin', password: 'a demo password' };
    await writeFile(join(beside, 'demo-accounts.json'), JSON.stringify([account]));
    const demo = await startRunning({ DATA_DIR }, 'demo');
    expect(demo.output()).toContain('Sign in as admin: admin@example.com  password: a demo password');
    demo.child.kill('SIGTERM');
    await demo.exited;
    expect(await readdir(DATA_DIR)).toEqual([]);
    expect(await readdir(beside)).toContain('postgres');
  }, 60_000);

  it('says what to install when exact previews are wanted without LibreOffice', async () => {
    const { code, output } = await startRefused({ DOCX_PREVIEW: 'libreoffice', PATH: '/nowhere' });
    expect(code).toBe(1);
    expect(output).toMatch(/^DOCX_PREVIEW=libreoffice needs LibreOffice.*libreoffice-writer-nogui.*\n$/);
  });

  it('says in one line what is wrong when it cannot start', async () => {
    const { code, output } = await startRefused({ PORT: 'many' });
    expect(code).toBe(1);
    expect(output).toMatch(/^Wrong setting: PORT must be a whole number from 0 to 65535\n$/);
  });
});

/** What the process prints, without its start. */
async function refusalOf(env: Record<string, string>): Promise<string> {
  const options = {
    stopping: new AbortController().signal,
    prepare: async () => undefined,
    onDatabaseLost: () => undefined,
  };
  const start = () => startServer(readConfig({ PORT: '0', ...env }), createLog('silent'), options);
  return start().then(() => 'started', startupText);
}

describe('the refusal of a start names the setting that is wrong:', () => {
  it('a port in use, and a password that is too common', async () => {
    const occupied = createServer().listen(0, '127.0.0.1');
    await once(occupied, 'listening');
    afterTest(async () => occupied.close());
    const { port } = occupied.address() as AddressInfo;
    const installation = { DATA_DIR: await makeDataFolder(), DATABASE_URL: await createTestDatabase() };
    expect(await refusalOf({ ...installation, PORT: String(port) })).toContain(
      `PORT ${port} is already in use`,
    );
    const common = { ...installation, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: 'trustno1' };
    expect(await refusalOf(common)).toContain('This password is too common');
  });

  it('a data folder that cannot be used, and a database that cannot be reached', async () => {
    const aFile = join(dataDir, 'a-file');
    await writeFile(aFile, '');
    expect(await refusalOf({ DATA_DIR: join(aFile, 'below') })).toMatch(
      /^DATA_DIR cannot be used \(ENOTDIR at .*a-file/,
    );
    expect(await refusalOf({ DATA_DIR: aFile })).toMatch(/^DATA_DIR cannot be used \(EEXIST at .*a-file/);
    // No regular file can be created there, and some attempts would hang.
    expect(await refusalOf({ DATA_DIR: '/proc/nope' })).toMatch(/^DATA_DIR cannot be used \(\w+ at \/proc/);
    const DATABASE_URL = 'postgres://nobody:nothing@127.0.0.1:1/none';
    expect(await refusalOf({ DATA_DIR: await makeDataFolder(), DATABASE_URL })).toMatch(
      /^DATABASE_URL: the database cannot be reached/,
    );
  });
});

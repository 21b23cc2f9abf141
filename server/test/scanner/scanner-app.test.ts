import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterTest } from '@customer-database/testkit/cleanup';
import { stored } from '@customer-database/testkit/documents';
import { makeCustomer, makeDocument, makeUser } from '@customer-database/testkit/factories';
import { startFakeScanner } from '@customer-database/testkit/fake-scanner';
import { makePages } from '@customer-database/testkit/pages';
import { createTestDatabase, startTestApp } from '@customer-database/testkit/test-app';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/core/config.ts';
import { createLog } from '../../src/core/log.ts';
import { startServer } from '../../src/start/server.ts';

describe('While the scanner takes its time', () => {
  it('no database connection is held, and the object is stored only after the verdict', async () => {
    const seen = Promise.withResolvers<() => void>();
    const slow = await startFakeScanner((socket, onAsked) =>
      onAsked(() => seen.resolve(() => socket.write('stream: OK\0'))),
    );
    const app = await startTestApp({ env: { CLAMD_URL: slow.url } });
    const admin = await makeUser(app, 'admin');
    const { id } = await makeCustomer(admin.client);
    const before = await stored(app);
    const uploading = makeDocument(admin.client, id);
    const sayOk = await seen.promise;
    expect(app.pool.totalCount - app.pool.idleCount).toBe(0);
    expect(await stored(app)).toEqual(before);
    sayOk();
    expect((await uploading).id).toBeGreaterThan(0);
  });
});

describe('When the server starts', () => {
  async function startWith(clamdUrl: string) {
    const lines: string[] = [];
    const dataDir = await mkdtemp(join(tmpdir(), 'customer-database-scanner-'));
    const settings = readConfig({
      DATABASE_URL: await createTestDatabase(),
      DATA_DIR: dataDir,
      PORT: '0',
      CLAMD_URL: clamdUrl,
    });
    const config = { ...settings, webDir: await makePages(dataDir) };
    const log = createLog('warn', { write: (line) => lines.push(line) });
    const server = await startServer(config, log, {
      prepare: async () => {},
      onDatabaseLost: () => {},
      stopping: new AbortController().signal,
    });
    afterTest(async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    });
    return { server, lines };
  }

  it('without its scanner it starts anyway, and warns', async () => {
    const { server, lines } = await startWith('unix:///nowhere/clamd.ctl');
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    await expect
      .poll(() => lines.map((line) => JSON.parse(line)))
      .toMatchObject([
        {
          level: 'warn',
          msg: 'CLAMD_URL: the virus scanner does not answer; uploads are refused until it does',
          err: { type: 'ScannerUnavailableError', cause: { code: 'ENOENT' } },
        },
      ]);
  });

  it('with its scanner it does not warn', async () => {
    const scanner = await startFakeScanner((socket) => socket.write('PONG\0'));
    const { lines } = await startWith(scanner.url);
    await expect.poll(() => scanner.received().toString()).toBe('zPING\0');
    await expect.poll(() => scanner.open()).toBe(0);
    expect(lines).toEqual([]);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stored } from '@customer-database/testkit/documents';
import { makeCustomer, makeDocument, makeUser } from '@customer-database/testkit/factories';
import { startFakeScanner } from '@customer-database/testkit/fake-scanner';
import { createTestDatabase, startTestApp } from '@customer-database/testkit/test-app';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/core/config.ts';
import { createLog } from '../../src/core/log.ts';
import { startServer } from '../../src/start/server.ts';

describe('Without CLAMD_URL', () => {
  it('nothing is scanned', async () => {
    const app = await startTestApp();
    const admin = await makeUser(app, 'admin');
    const { id } = await makeCustomer(admin.client);
    expect(app.deps.scanner).toBeUndefined();
    expect((await makeDocument(admin.client, id)).id).toBeGreaterThan(0);
  });
});

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
  async function linesOfStart(clamdUrl: string): Promise<string[]> {
    const lines: string[] = [];
    const dataDir = await mkdtemp(join(tmpdir(), 'customer-database-scanner-'));
    const config = readConfig({
      DATABASE_URL: await createTestDatabase(),
      DATA_DIR: dataDir,
      PORT: '0',
      CLAMD_URL: clamdUrl,
    });
    const log = createLog('warn', { write: (line) => lines.push(line) });
    const server = await startServer(config, log, {
      prepare: async () => {},
      onDatabaseLost: () => {},
      stopping: new AbortController().signal,
    });
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    // The health check began before and answers from this machine.
    await new Promise((resolve) => setTimeout(resolve, 200));
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
    return lines;
  }

  it('without its scanner it starts anyway, and warns', async () => {
    const lines = await linesOfStart('unix:///nowhere/clamd.ctl');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 'warn',
        msg: 'CLAMD_URL: the virus scanner does not answer; uploads are refused until it does',
        err: { type: 'ScannerUnavailableError', cause: { code: 'ENOENT' } },
      },
    ]);
  });

  it('with its scanner it does not warn', async () => {
    const scanner = await startFakeScanner((socket) => socket.write('PONG\0'));
    expect(await linesOfStart(scanner.url)).toEqual([]);
    expect(scanner.received().toString()).toBe('zPING\0');
  });
});

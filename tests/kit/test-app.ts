import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import pg from 'pg';
import { inject } from 'vitest';
import { createLogWriter, keepSecret } from '../../scripts/test-logs.js';
import { openConverter } from '../../server/src/converter/open.ts';
import { type Config, readConfig } from '../../server/src/core/config.ts';
import type { Deps } from '../../server/src/core/deps.ts';
import { createLog } from '../../server/src/core/log.ts';
import { deriveKeys } from '../../server/src/crypto/keys.ts';
import { createDatabase, createPool } from '../../server/src/db/client.ts';
import { openJobWorker } from '../../server/src/jobs/worker.ts';
import { createMailer } from '../../server/src/mail/mailer.ts';
import { createMetrics } from '../../server/src/metrics/metrics.ts';
import { openScanner } from '../../server/src/scanner/open.ts';
import { type App, buildApp } from '../../server/src/start/app.ts';
import { jobs } from '../../server/src/start/jobs.ts';
import { openExtractors } from '../../server/src/start/open-extractors.ts';
import { measuredStorage } from '../../server/src/storage/measured.ts';
import { openStorage } from '../../server/src/storage/open.ts';
import { afterFile } from './cleanup.ts';
import { type Client, createClient } from './client.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { makePages } from './pages.ts';

export type TestApp = {
  app: App;
  deps: Deps;
  pool: pg.Pool;
  clock: TestClock;
  url: string;
  databaseUrl: string;
  /** The first step of a shutdown, before anything is closed. */
  announceStop(): void;
  /** The server's log so far. */
  logs(): string;
  /** A client without a session, or with the given token. */
  client(token?: string): Client;
  close(): Promise<void>;
};

/** Runs a statement as the owner of all test databases. */
export async function administer(statement: string): Promise<void> {
  const client = new pg.Client(inject('postgresUrl'));
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** A new database, by default a copy of the migrated template; dropped when the test run ends. */
export async function createTestDatabase({ empty = false } = {}): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = empty ? 'template0' : inject('templateDatabase');
  await administer(`create database ${name} template ${template}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

function memoryLog(): { log: Deps['log']; text(): string } {
  const lines: string[] = [];
  const keep = createLogWriter('.jsonl');
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      keep(chunk);
      done();
    },
  });
  return { log: createLog('trace', stream), text: () => lines.join('') };
}

function keepSecretsOf(config: Config): void {
  keepSecret('SECRET_KEY', config.secretKey);
  keepSecret('ADMIN_PASSWORD', config.firstAdmin?.password);
  keepSecret('S3_SECRET_ACCESS_KEY', config.s3?.secretAccessKey);
  keepSecret('INTERNAL_ACCESS_SECRET', config.internalAccessSecret);
  keepSecret('METRICS_TOKEN', config.metricsToken);
  if (config.smtp) keepSecret('SMTP_URL', decodeURIComponent(new URL(config.smtp.url).password));
}

export type TestAppOptions = {
  /** Settings as environment variables. */
  env?: Record<string, string>;
  withJobs?: boolean;
  /** Share the database of another instance. */
  databaseUrl?: string;
  /** An existing data folder, which is not removed. */
  dataDir?: string;
  /** The web build to serve, instead of a small one. */
  webDir?: string;
};

/** The real server on a free port, with its own database and data folder and a clock that tests can move. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const databaseUrl = options.databaseUrl ?? (await createTestDatabase());
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'customer-database-app-')));
  const settings = readConfig({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SECRET_KEY: 'a-key-for-tests-0123456789abcdef-0123456789abcdef',
    TIME_ZONE: 'Europe/Berlin',
    PORT: '0',
    ...options.env,
  });
  const config = { ...settings, webDir: options.webDir ?? (await makePages(dataDir)) };
  keepSecretsOf(config);
  const { log, text } = memoryLog();
  const clock = createTestClock();
  const pool = createPool(databaseUrl, 10, log);
  const metrics = createMetrics(pool);
  const stopping = new AbortController();
  const mailer = config.smtp ? await createMailer(config.smtp, metrics) : undefined;
  const db = createDatabase(pool);
  const deps: Deps = {
    config,
    keys: deriveKeys(config.secretKey ?? ''),
    db,
    pool,
    storage: measuredStorage(await openStorage(config), metrics.observeStorage),
    mailer,
    scanner: openScanner(config),
    extractors: openExtractors(config, stopping.signal),
    converter: await openConverter(config, stopping.signal),
    clock,
    log,
    metrics,
    stopping: stopping.signal,
    startedAt: clock.now(),
  };
  const app = await buildApp(deps);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const publicUrl = config.publicUrl ?? url;
  const worker = options.withJobs ? await openJobWorker(db, log, jobs) : undefined;
  await worker?.start({ ...deps, publicUrl });

  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    app.server.closeAllConnections();
    await app.close();
    await worker?.stop();
    mailer?.close();
    await Promise.all(Object.values(deps.extractors).map((extractor) => extractor.close()));
    await deps.converter?.close();
    await pool.end();
    await deps.storage.close();
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  afterFile(close);
  return {
    app,
    deps,
    pool,
    clock,
    url,
    databaseUrl,
    announceStop: () => stopping.abort(),
    logs: text,
    client: (token) => createClient(url, token),
    close,
  };
}

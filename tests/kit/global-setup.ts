import { execFileSync } from 'node:child_process';
import { appendFile, chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@customer-database/embedded-postgres/start';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { createLog } from '../../server/src/core/log.ts';
import { clamd } from './clamd.ts';
import { whyMissing } from './debian-package.ts';
import { installParts } from './debian-parts.ts';
import { prepareDatabase } from './prepare-database.ts';
import { swift } from './swift.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** One PostgreSQL server for the whole run, in which each test file makes its own database. */
    postgresUrl: string;
    /** A migrated database to copy. */
    templateDatabase: string;
    /** The data folder of an initialised, stopped PostgreSQL to copy. */
    preparedDataDir: string;
    /** Empty, or why tests on a real S3 store are skipped. */
    swiftLeftOut: string;
    /** Empty, or why tests on a real virus scanner are skipped. */
    clamdLeftOut: string;
  }
}

const templateDatabase = 'customer_database_template';

async function makeTemplate(postgresUrl: string): Promise<void> {
  const client = new pg.Client(postgresUrl);
  await client.connect();
  await client.query(`drop database if exists ${templateDatabase}`);
  await client.query(`create database ${templateDatabase}`);
  await client.end();
  const url = new URL(postgresUrl);
  url.pathname = `/${templateDatabase}`;
  await prepareDatabase(url.href);
}

/** The embedded PostgreSQL, or the one that TEST_DATABASE_URL names. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  installParts();
  const swiftLeftOut = whyMissing(swift);
  if (swiftLeftOut) console.warn(`\nLEFT OUT: all tests on a real S3 store. ${swiftLeftOut}\n`);
  project.provide('swiftLeftOut', swiftLeftOut);
  const clamdLeftOut = whyMissing(clamd);
  if (clamdLeftOut) console.warn(`\nLEFT OUT: all tests on a real virus scanner. ${clamdLeftOut}\n`);
  project.provide('clamdLeftOut', clamdLeftOut);
  const given = process.env.TEST_DATABASE_URL;
  const folder = await mkdtemp(join(tmpdir(), 'customer-database-test-'));
  // When tests run as root, PostgreSQL runs as another user and must reach its data.
  await chmod(folder, 0o755);
  const log = createLog('warn');
  const prepared = join(folder, 'prepared');
  await (await startEmbedded({ dataDir: prepared, log })).stop();
  project.provide('preparedDataDir', prepared);
  const dataDir = join(folder, 'running');
  execFileSync('cp', ['-a', prepared, dataDir]);
  // With a database per test file, autovacuum would never idle.
  await appendFile(join(dataDir, 'postgres', 'postgresql.auto.conf'), 'autovacuum = off\n');
  const embedded = given ? undefined : await startEmbedded({ dataDir, log });
  const postgresUrl = given ?? embedded?.url ?? '';
  await makeTemplate(postgresUrl);
  project.provide('postgresUrl', postgresUrl);
  project.provide('templateDatabase', templateDatabase);
  return async () => {
    await embedded?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

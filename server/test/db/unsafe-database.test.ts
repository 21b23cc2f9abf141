import { execFile } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { query } from '@customer-database/testkit/embedded';
import { pgbouncer, startPgbouncer } from '@customer-database/testkit/pgbouncer';
import { startPlainPostgres } from '@customer-database/testkit/plain-postgres';
import { createTestDatabase } from '@customer-database/testkit/test-app';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { openDatabase } from '../../src/db/open.ts';
import { startupText } from '../../src/start/startup-errors.ts';

const run = promisify(execFile);

/** Opens the database as a start of the server does. Returns the text of the refusal. */
async function refusalOf(databaseUrl: string): Promise<string | undefined> {
  const config = { databaseUrl, databasePoolSize: 2, dataDir: '' };
  try {
    const { close } = await openDatabase(config, createLog('silent'), {
      asTool: false,
      migrateQueue: async () => undefined,
    });
    await close();
    return undefined;
  } catch (error) {
    return startupText(error);
  }
}

const tablesIn = (url: string) =>
  query(url, "select 1 from information_schema.tables where table_schema = 'public'");

it('refuses a PostgreSQL without fsync, before anything is migrated', async () => {
  const { url } = await startPlainPostgres('fsync=off');
  expect(await refusalOf(url)).toContain('must run with fsync and synchronous_commit on: data could be lost');
  expect(await tablesIn(url)).toEqual([]);
});

it('refuses a PostgreSQL whose certificate is not trusted, and accepts it with its authority', async () => {
  const { identity, url } = await startPlainPostgres();
  const [key, certificate] = ['server.key', 'server.crt'].map((name) => join(identity.location, name));
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', String(key), '-out', String(certificate)];
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files]);
  const { uid, gid } = await stat(identity.location);
  await Promise.all([key, certificate].map((file) => chown(String(file), uid, gid)));
  const superuser = url.replace(/\/\/[^@]*@/, `//postgres:${identity.superuserPassword}@`);
  await query(superuser, 'alter system set ssl = on');
  await query(superuser, 'select pg_reload_conf()');
  const untrusted = `${url}?sslmode=verify-full`;
  await expect
    .poll(() => refusalOf(untrusted))
    .toContain('the certificate of the database is not trusted (self-signed certificate');
  expect(await refusalOf(`${untrusted}&sslrootcert=${certificate}`)).toBeUndefined();
});

describe.skipIf(!pgbouncer.isInstalled())('A PgBouncer', () => {
  it('is refused in transaction mode, before anything is migrated', async () => {
    const databaseUrl = await createTestDatabase({ empty: true });
    const refusal = await refusalOf(await startPgbouncer(databaseUrl, 'transaction'));
    expect(refusal).toContain('use its session mode (pool_mode = session)');
    expect(await tablesIn(databaseUrl)).toEqual([]);
  });

  it('is accepted in session mode', async () => {
    expect(await refusalOf(await startPgbouncer(await createTestDatabase(), 'session'))).toBeUndefined();
  });
});

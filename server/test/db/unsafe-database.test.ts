import { execFile } from 'node:child_process';
import { chown, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { query } from '@customer-database/testkit/embedded';
import { pgbouncer, startPgbouncer } from '@customer-database/testkit/pgbouncer';
import { startPlainPostgres } from '@customer-database/testkit/plain-postgres';
import { makeDataFolder, startFailing, startRunning } from '@customer-database/testkit/server-process';
import { createTestDatabase } from '@customer-database/testkit/test-app';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);

it.each(['fsync=off', 'synchronous_commit=off'])(
  'a PostgreSQL with %s is refused at the start',
  async (setting) => {
    const { url } = await startPlainPostgres(setting);
    const { code, output } = await startFailing({ DATA_DIR: await makeDataFolder(), DATABASE_URL: url });
    expect(code).toBe(1);
    expect(output).toContain('must run with fsync and synchronous_commit on: data could be lost');
    expect(output).not.toContain('    at ');
    const tables = await query(url, "select 1 from information_schema.tables where table_schema = 'public'");
    expect(tables).toEqual([]);
  },
);

it('a PostgreSQL whose certificate is not trusted is refused in one line, and accepted with its authority', async () => {
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
  const DATA_DIR = await makeDataFolder();
  const untrusted = `${url}?sslmode=verify-full`;
  const { output } = await startFailing({ DATA_DIR, DATABASE_URL: untrusted });
  expect(output).toContain('the certificate of the database is not trusted (self-signed certificate');
  expect(output).not.toContain('    at ');
  await startRunning({ DATA_DIR, DATABASE_URL: `${untrusted}&sslrootcert=${certificate}` });
  expect(await readdir(DATA_DIR)).not.toContain('postgres');
});

describe.skipIf(!pgbouncer.isInstalled())('a PgBouncer', () => {
  it('in transaction mode is refused at the start, before anything is migrated', async () => {
    const DATABASE_URL = await createTestDatabase({ empty: true });
    const pooled = await startPgbouncer(DATABASE_URL, 'transaction');
    const { code, output } = await startFailing({ DATA_DIR: await makeDataFolder(), DATABASE_URL: pooled });
    expect(code).toBe(1);
    expect(output).toContain('use its session mode (pool_mode = session)');
    expect(output).not.toContain('    at ');
    const tables = await query(
      DATABASE_URL,
      "select 1 from information_schema.tables where table_schema = 'public'",
    );
    expect(tables).toEqual([]);
  });

  it('in session mode is as good as PostgreSQL', async () => {
    const DATABASE_URL = await startPgbouncer(await createTestDatabase(), 'session');
    const { url } = await startRunning({ DATA_DIR: await makeDataFolder(), DATABASE_URL });
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });
});

import { spawn } from 'node:child_process';
import files, { chown, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataFolderInUseError, EmbeddedStartError } from '@customer-database/embedded-postgres/errors';
import { findRunningEmbedded } from '@customer-database/embedded-postgres/start';
import { afterTest } from '@customer-database/testkit/cleanup';
import {
  asRoot,
  copyDataDir,
  end,
  eventually,
  isAlive,
  makeDataDir,
  postmasterPid,
  query,
  start,
  startHolder,
} from '@customer-database/testkit/embedded';
import { Client } from 'pg';
import { expect, test } from 'vitest';

test('a first start creates a private, durable database, and a second one quickly finds it again', async () => {
  const dataDir = await makeDataDir();
  const first = await start(dataDir);
  await query(first.url, 'create extension pg_trgm');
  await query(first.url, 'create extension unaccent');
  await query(first.url, 'create extension btree_gin');
  await query(first.url, "create table kept as select 'Žluť' as name");
  const [facts] = await query(
    first.url,
    `select current_database() as database, getdatabaseencoding() as encoding, lower('ŽŁ') as lower,
            (select rolsuper from pg_roles where rolname = current_user) as superuser,
            (select format('%s %s', datlocprovider, datlocale) from pg_database where datname = current_database()) as locale,
            cardinality(show_trgm('東京')) > 0 as finds_all_scripts`,
  );
  expect(facts).toEqual({
    database: 'customer_database',
    encoding: 'UTF8',
    lower: 'žł',
    superuser: false,
    locale: 'b C.UTF-8',
    finds_all_scripts: true,
  });
  const settings = await query(
    first.url,
    `select name, setting from pg_settings where name in
       ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'jit', 'TimeZone')`,
  );
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
    jit: 'off',
    TimeZone: 'UTC',
  });
  expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
  expect(first.location).toBe(join(dataDir, 'postgres'));
  expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.json', 'postgres.log']);
  await first.stop();

  const startedAt = Date.now();
  const second = await start(dataDir);
  expect(Date.now() - startedAt).toBeLessThan(2000);
  expect(await query(second.url, 'select * from kept')).toEqual([{ name: 'Žluť' }]);
});

test("PostgreSQL's own log does not grow forever", async () => {
  const dataDir = await copyDataDir();
  const logFile = join(dataDir, 'postgres.log');
  await writeFile(logFile, 'x'.repeat(9 * 1024 * 1024));
  await start(dataDir);
  expect((await stat(logFile)).size).toBeLessThan(10_000);
  expect((await stat(`${logFile}.1`)).size).toBe(9 * 1024 * 1024);
});

test('only the right password opens it, and only from this machine', async () => {
  const { url, location } = await start(await copyDataDir());
  for (const wrong of ['', 'postgres', 'wrong']) {
    const attempt = new URL(url);
    attempt.password = wrong;
    await expect(query(attempt.href, 'select 1')).rejects.toThrow(/password/);
  }
  const superuser = new URL(url);
  superuser.username = 'postgres';
  await expect(query(superuser.href, 'select 1')).rejects.toThrow(/password authentication failed/);

  const [listening] = await query(url, 'show listen_addresses');
  expect(listening).toEqual({ listen_addresses: '127.0.0.1' });
  // The fifth line is the folder of the Unix socket: there is none.
  expect((await readFile(join(location, 'postmaster.pid'), 'utf8')).split('\n')[4]).toBe('');
  const elsewhere = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of elsewhere) {
    const attempt = new URL(url);
    attempt.hostname = address;
    await expect(query(attempt.href, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
  }
});

test('a second server on the same folder is refused and does no harm', async () => {
  const dataDir = await copyDataDir();
  expect(await findRunningEmbedded(`${dataDir}-unknown`)).toBeUndefined();
  const holder = await startHolder(dataDir);
  await expect(start(dataDir)).rejects.toThrow(DataFolderInUseError);
  await expect(start(dataDir)).rejects.toThrow(dataDir);
  expect(await findRunningEmbedded(dataDir)).toBe(holder.outcome);
  expect(await query(holder.outcome, 'select 1 as fine')).toEqual([{ fine: 1 }]);

  await end(holder.process, 'SIGTERM');
  expect(await findRunningEmbedded(dataDir)).toBeUndefined();
  await start(dataDir);
});

test('two first starts at once end with one winner', async () => {
  const dataDir = await makeDataDir();
  const holders = await Promise.all([startHolder(dataDir), startHolder(dataDir)]);
  const outcomes = holders.map(({ outcome }) => outcome);
  const winner = outcomes.find((outcome) => outcome.startsWith('postgres:')) ?? 'none';
  expect(outcomes.filter((outcome) => outcome !== winner)).toEqual(['DataFolderInUseError']);
  expect(await query(winner, 'select 1 as fine')).toEqual([{ fine: 1 }]);
  expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.json', 'postgres.log']);
});

test('committed data survives a kill -9 of the server, and the next server stops its PostgreSQL', async () => {
  const dataDir = await copyDataDir();
  const holder = await startHolder(dataDir);
  await query(holder.outcome, 'create table kept (number integer)');
  await query(holder.outcome, 'insert into kept select generate_series(1, 1000)');
  const abandoned = await postmasterPid(join(dataDir, 'postgres'));
  await end(holder.process, 'SIGKILL');
  expect(isAlive(abandoned)).toBe(true);
  expect(await eventually(async () => (await findRunningEmbedded(dataDir)) ?? 'none')).toBe('none');

  const { url, location } = await start(dataDir);
  expect(await query(url, 'select count(*)::integer as count from kept')).toEqual([{ count: 1000 }]);
  expect(await postmasterPid(location)).not.toBe(abandoned);
  expect(isAlive(abandoned)).toBe(false);
});

test('a kill -9 in the middle of the first start leaves nothing incomplete', async () => {
  const dataDir = await makeDataDir();
  const holder = await startHolder(dataDir, '(details, message) => console.log(message)');
  expect(holder.outcome).toBe('Making the database');
  await eventually(async () => expect((await readdir(dataDir)).join()).toContain('postgres.new-'));
  await end(holder.process, 'SIGKILL');
  expect(await readdir(dataDir)).not.toContain('postgres');

  const { url } = await start(dataDir);
  expect(await query(url, 'select 1 as fine')).toEqual([{ fine: 1 }]);
  expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.json', 'postgres.log']);
});

test('a killed PostgreSQL is restarted under the same URL', async () => {
  const dataDir = await copyDataDir();
  const database = await start(dataDir);
  const ends: unknown[] = [];
  database.onExit((unasked) => ends.push(unasked));
  await query(database.url, 'create table kept as select 1 as fine');
  const killed = await postmasterPid(database.location);
  process.kill(killed, 'SIGKILL');

  expect(await eventually(() => query(database.url, 'select * from kept'))).toEqual([{ fine: 1 }]);
  expect(ends).toEqual([{ reason: 'SIGKILL', restarting: true }]);
  expect(await postmasterPid(database.location)).not.toBe(killed);
  await eventually(async () => expect(await findRunningEmbedded(dataDir)).toBe(database.url));
  await expect(start(dataDir)).rejects.toThrow(DataFolderInUseError);
});

test('the folder stays locked when a crash inside PostgreSQL cuts all connections', async () => {
  const dataDir = await copyDataDir();
  const { url } = await start(dataDir);
  const victim = new Client({ connectionString: url });
  victim.on('error', () => undefined);
  await victim.connect();
  const { rows } = await victim.query('select pg_backend_pid() as pid');
  const cut = new Promise((resolve) => victim.once('end', resolve));
  process.kill(rows[0].pid, 'SIGKILL');
  await cut;
  expect(await eventually(() => query(url, 'select 1 as fine'))).toEqual([{ fine: 1 }]);
  await expect(start(dataDir)).rejects.toThrow(DataFolderInUseError);
});

test('stop leaves no process behind, also when called twice', async () => {
  const database = await start(await copyDataDir());
  const rows = await query(database.url, 'select pid from pg_stat_activity');
  const pids = [await postmasterPid(database.location), ...rows.map(({ pid }) => Number(pid))];
  expect(pids.length).toBeGreaterThan(3);
  await Promise.all([database.stop(), database.stop()]);
  expect(pids.filter(isAlive)).toEqual([]);
});

test.for([
  {
    leftover: 'names another process',
    text: (pid: number) => `${pid}\n/elsewhere\n1\n1\n\n127.0.0.1\n`,
  },
  { leftover: 'is empty', text: () => '' },
])('a pid file from a crash of the machine does not stop the start: it $leftover', async ({ text }) => {
  const dataDir = await copyDataDir();
  const location = join(dataDir, 'postgres');
  const { uid, gid } = await stat(location);
  const bystander = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' });
  afterTest(() => end(bystander, 'SIGKILL'));
  const pidFile = join(location, 'postmaster.pid');
  await writeFile(pidFile, text(bystander.pid ?? 0), { mode: 0o600 });
  await chown(pidFile, uid, gid);

  const { url } = await start(dataDir);
  expect(await query(url, 'select 1 as fine')).toEqual([{ fine: 1 }]);
  expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
});

test('unusable data folders are refused with a clear message', async () => {
  const dataDir = await copyDataDir();
  const location = join(dataDir, 'postgres');

  const file = `${dataDir}-file`;
  await writeFile(file, '');
  await expect(start(file)).rejects.toThrow(
    new EmbeddedStartError(
      `${file} cannot be used as a folder because a file is in its place. Choose another data folder (DATA_DIR).`,
    ),
  );

  const versionFile = join(location, 'PG_VERSION');
  const version = await readFile(versionFile, 'utf8');
  await writeFile(versionFile, '12\n');
  await expect(start(dataDir)).rejects.toThrow(
    /was made by PostgreSQL 12, but this release brings PostgreSQL \d+/,
  );
  await writeFile(versionFile, version);

  const controlFile = join(location, 'global', 'pg_control');
  const control = await readFile(controlFile);
  await writeFile(controlFile, 'damaged');
  await expect(start(dataDir)).rejects.toThrow(
    /PostgreSQL could not start[\s\S]*pg_control[\s\S]*postgres\.log/,
  );
  await writeFile(controlFile, control);

  const identityFile = join(dataDir, 'postgres.json');
  const identity = await readFile(identityFile);
  await rm(identityFile);
  await expect(start(dataDir)).rejects.toThrow(
    /holds a database, but .*postgres\.json with its password is missing/,
  );
  await writeFile(identityFile, identity);

  await rm(location, { recursive: true });
  await expect(start(dataDir)).rejects.toThrow(/is missing\. Put it back or restore a backup/);
});

test('a PostgreSQL that exits at once is reported, also on a busy machine', async () => {
  const dataDir = await copyDataDir();
  await writeFile(join(dataDir, 'postgres', 'global', 'pg_control'), 'damaged');
  // As on a busy machine: closing the log takes longer than PostgreSQL lives.
  const { open } = files;
  const use = (way: typeof open) => {
    files.open = way;
    syncBuiltinESMExports();
  };
  use(async (...path) => {
    const file = await open(...path);
    const { close } = file;
    file.close = () => sleep(1_000).then(close);
    return file;
  });
  afterTest(async () => use(open));
  await expect(start(dataDir)).rejects.toThrow(/PostgreSQL could not start[\s\S]*pg_control/);
});

test.runIf(asRoot)('as root, a data folder that no other user can reach works too', async () => {
  const dataDir = await makeDataDir('/root');
  const database = await start(dataDir);
  afterTest(() => rm(database.location, { recursive: true }));
  expect(database.location).toMatch(/^\/var\/lib\/customer-database\/[0-9a-f]{16}$/);
  expect((await stat(database.location)).mode & 0o777).toBe(0o700);
  await query(database.url, 'create table kept as select 1 as fine');
  await database.stop();

  const again = await start(dataDir);
  expect(again.location).toBe(database.location);
  expect(await query(again.url, 'select * from kept')).toEqual([{ fine: 1 }]);
});

import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { administer } from '@customer-database/testkit/test-app';
import type pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { createPool } from '../../src/db/client.ts';
import { baselineVersion, MigrationError, migrate, newestMigration } from '../../src/db/migrate.ts';
import { startupText } from '../../src/start/startup-errors.ts';

const allMigrations = (await readdir(new URL('../../migrations/', import.meta.url))).toSorted();

const cleanUps: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

type EmptyDatabase = { name: string; open(): pg.Pool };

/** A new, empty database, dropped when the test run ends. */
async function createEmptyDatabase(options = ''): Promise<EmptyDatabase> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await administer(`create database ${name} template template0 ${options}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return {
    name,
    open() {
      const pool = createPool(url.href, 4, createLog('silent'));
      cleanUps.push(() => pool.end());
      return pool;
    },
  };
}

async function tablesOf(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
  );
  return rows.map(({ name }) => name);
}

async function appliedIn(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from schema_migrations order by version');
  return rows.map(({ name }) => name);
}

const refusalOf = (pool: pg.Pool): Promise<unknown> =>
  migrate(pool).then(
    () => 'it went through',
    (error: unknown) => error,
  );

describe('migrations', () => {
  it('are numbered consecutively', () => {
    expect(allMigrations.map((name) => Number.parseInt(name, 10))).toEqual(
      allMigrations.map((_, index) => index + 1),
    );
    for (const name of allMigrations) expect(name).toMatch(/^\d{4}_[a-z0-9_]+\.sql$/);
  });

  it('run once each, however many servers start at once on an empty database', async () => {
    const database = await createEmptyDatabase();
    const pools = Array.from({ length: 6 }, () => database.open());
    const applied = await Promise.all(pools.map((pool) => migrate(pool)));
    expect(applied.flat().toSorted()).toEqual(allMigrations);
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
    const pool = database.open();
    expect(await appliedIn(pool)).toEqual(allMigrations);
    expect(await tablesOf(pool)).toEqual(
      expect.arrayContaining(['activity', 'customers', 'documents', 'users']),
    );
  });

  it('do not run again, leave data and connections as they were, and release the lock', async () => {
    const pool = (await createEmptyDatabase()).open();
    expect(await migrate(pool)).toEqual(allMigrations);
    await pool.query("insert into customers (name, created_at, updated_at) values ('Kept', now(), now())");
    expect(await migrate(pool)).toEqual([]);
    expect((await pool.query('select name from customers')).rows).toEqual([{ name: 'Kept' }]);
    expect((await pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '30s' }]);
    const { rows } = await pool.query(
      "select count(*)::int as locks from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
    );
    expect(rows).toEqual([{ locks: 0 }]);
  });

  it('that fail leave nothing behind, say why, and run once the cause is gone', async () => {
    const pool = (await createEmptyDatabase()).open();
    await pool.query('create table documents (mine text)');
    const refusal = await refusalOf(pool);
    expect(refusal).toBeInstanceOf(MigrationError);
    expect(startupText(refusal)).toBe(
      `Migration ${allMigrations[0]} failed: relation "documents" already exists`,
    );
    expect(await tablesOf(pool)).toEqual(['documents', 'schema_migrations']);
    expect(await appliedIn(pool)).toEqual([]);
    const { rows } = await pool.query("select proname from pg_proc where proname = 'search_text'");
    expect(rows).toEqual([]);
    await pool.query('drop table documents');
    expect(await migrate(pool)).toEqual(allMigrations);
  });

  it('that succeeded before a failing one stay, and are not repeated', async () => {
    const pool = (await createEmptyDatabase()).open();
    await migrate(pool, baselineVersion);
    await pool.query('alter table activity add constraint activity_salted check (true)');
    expect(String(await refusalOf(pool))).toContain('constraint "activity_salted" for relation "activity"');
    expect(await appliedIn(pool)).toEqual(allMigrations.slice(0, 1));
    await pool.query('alter table activity drop constraint activity_salted');
    expect(await migrate(pool)).toEqual(allMigrations.slice(1));
  });
});

describe('an unsuitable database is refused with a clear message:', () => {
  it('one of a newer version, which stays as it is', async () => {
    const pool = (await createEmptyDatabase()).open();
    await migrate(pool);
    await pool.query("insert into schema_migrations (version, name) values (9000, '9000_future.sql')");
    const refusal = await refusalOf(pool);
    expect(refusal).toBeInstanceOf(MigrationError);
    expect(startupText(refusal)).toBe(
      `The database was made by a newer version of this program (its schema is 9000, this program knows ` +
        `${await newestMigration()}). Start that version, or restore a backup made before the upgrade.`,
    );
    expect(await appliedIn(pool)).toEqual([...allMigrations, '9000_future.sql']);
  });

  it('one of a version before 0.9, which stays as it is', async () => {
    const pool = (await createEmptyDatabase()).open();
    await pool.query(`create table schema_migrations
      (version integer primary key, name text not null, applied_at timestamptz not null default now());
      insert into schema_migrations (version, name) select version, 'old.sql' from generate_series(1, 29) as version`);
    const refusal = await refusalOf(pool);
    expect(refusal).toBeInstanceOf(MigrationError);
    expect(startupText(refusal)).toBe(
      'The database was made by a version before 0.9 (its schema is 29). ' +
        'Start version 0.9 on it once, then this version.',
    );
    expect(await appliedIn(pool)).toHaveLength(29);
    expect(await tablesOf(pool)).toEqual(['schema_migrations']);
  });

  it('one that is not in UTF8', async () => {
    const options = "encoding 'LATIN1' locale_provider libc lc_collate 'C' lc_ctype 'C'";
    const pool = (await createEmptyDatabase(options)).open();
    const refusal = await refusalOf(pool);
    expect(refusal).toBeInstanceOf(MigrationError);
    expect(startupText(refusal)).toBe('The database must be created with encoding UTF8');
    expect(await tablesOf(pool)).toEqual([]);
  });

  it('one that may lose committed data', async () => {
    const database = await createEmptyDatabase();
    await administer(`alter database ${database.name} set synchronous_commit = off`);
    const pool = database.open();
    expect(startupText(await refusalOf(pool))).toBe(
      'The database must run with fsync and synchronous_commit on: data could be lost',
    );
    expect(await tablesOf(pool)).toEqual([]);
  });

  it('one that cannot be reached', async () => {
    const pool = createPool('postgres://nobody@127.0.0.1:1/none', 2, createLog('silent'));
    cleanUps.push(() => pool.end());
    expect(startupText(await refusalOf(pool))).toMatch(
      /^DATABASE_URL: the database cannot be reached or refuses the connection \(.*ECONNREFUSED.*\)$/,
    );
  });
});

import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Database } from './client.ts';

export class MigrationError extends Error {
  override name = 'MigrationError';
}

const folder = new URL('../../migrations/', import.meta.url);

// Arbitrary, but unique among advisory locks in the database.
const migrationLock = 7_263_041;

/** 0001_schema.sql is the result of the thirty migrations of version 0.9, so it has the number of the last one. */
export const baselineVersion = 30;

/** The version of the schema after the file with this number. */
export const schemaVersionOf = (file: number) => baselineVersion - 1 + file;

type Migration = { version: number; name: string };

async function listMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return names.map((name) => ({ version: schemaVersionOf(Number.parseInt(name, 10)), name }));
}

/** The newest version that this program knows. */
export async function newestMigration(): Promise<number> {
  return (await listMigrations()).at(-1)?.version ?? 0;
}

async function checkServer(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(`
    select current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding,
      current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`);
  const server = rows[0];
  if (server.version < 150_000) throw new MigrationError('PostgreSQL 15 or newer is needed');
  if (server.encoding !== 'UTF8') throw new MigrationError('The database must be created with encoding UTF8');
  if (server.fsync !== 'on' || server.commit === 'off') {
    throw new MigrationError(
      'The database must run with fsync and synchronous_commit on: data could be lost',
    );
  }
}

async function applyPending(client: pg.ClientBase, upTo: number): Promise<string[]> {
  await client.query(`create table if not exists schema_migrations
    (version integer primary key, name text not null, applied_at timestamptz not null default now())`);
  const known = await listMigrations();
  const { rows } = await client.query<{ version: number }>('select version from schema_migrations');
  const applied = new Set(rows.map((row) => row.version));
  const newest = await newestMigration();
  const found = Math.max(0, ...applied);
  if (found > newest) {
    throw new MigrationError(
      `The database was made by a newer version of this program (its schema is ${found}, ` +
        `this program knows ${newest}). Start that version, or restore a backup made before the upgrade.`,
    );
  }
  if (found > 0 && found < baselineVersion) {
    throw new MigrationError(
      `The database was made by a version before 0.9 (its schema is ${found}). ` +
        'Start version 0.9 on it once, then this version.',
    );
  }
  const pending = known.filter(({ version }) => version <= upTo && !applied.has(version));
  for (const { version, name } of pending) {
    await client.query('begin');
    try {
      await client.query(await readFile(new URL(name, folder), 'utf8'));
      await client.query('insert into schema_migrations (version, name) values ($1, $2)', [version, name]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw new MigrationError(
        `Migration ${name} failed: ${error instanceof Error ? error.message : error}`,
        {
          cause: error,
        },
      );
    }
  }
  return pending.map((migration) => migration.name);
}

/**
 * Migrates to the newest version, or to an older one for a restore, then lets the job queue do the same. A lock
 * serializes servers that start together. Returns the names of the applied migrations.
 */
export async function migrate(
  pool: pg.Pool,
  upTo = Number.POSITIVE_INFINITY,
  migrateQueue = async () => {},
): Promise<string[]> {
  const client = await pool.connect();
  try {
    await checkServer(client);
    // Migrating a large table may exceed the limit for requests.
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    const applied = await applyPending(client, upTo);
    await migrateQueue();
    return applied;
  } finally {
    // Lets waiting servers continue now; closing the connection would release it a little later.
    await client.query('select pg_advisory_unlock_all()').catch(() => undefined);
    // Not reusable: its timeout was changed.
    client.release(true);
  }
}

/** Checks the schema version again at run time, as a failover may lead to another database. */
export async function migrationCheck(db: Database): Promise<() => Promise<boolean>> {
  const newest = await newestMigration();
  return async () => {
    const found = await sql`select version from schema_migrations where version = ${newest}`.execute(db);
    return found.rows.length > 0;
  };
}

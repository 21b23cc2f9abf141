import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { countText } from '../core/text.ts';
import { connectionNames } from '../db/client.ts';
import { withoutIndexes } from '../db/without-indexes.ts';
import type { ObjectStorage } from '../storage/port.ts';
import { BackupDamaged, BackupRefused, backedUpTables, type Manifest, type TableBackup } from './layout.ts';
import { readParts } from './parts.ts';
import type { Progress } from './snapshot.ts';

export async function refuseNonEmptyDatabase(client: pg.ClientBase | pg.Pool): Promise<void> {
  const { rows: tables } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
    [backedUpTables],
  );
  for (const { name } of tables) {
    const { rows } = await client.query(`select from ${name} limit 1`);
    if (rows.length === 0) continue;
    throw new BackupRefused(
      'This installation is not empty. A backup is restored into a new one only: ' +
        'choose another DATA_DIR (or another DATABASE_URL).',
    );
  }
}

async function refuseOtherSchema(client: pg.ClientBase, backup: Manifest): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    'select max(version) as version from schema_migrations',
  );
  const version = rows[0]?.version ?? 0;
  if (version !== backup.schema_version) {
    throw new BackupRefused(
      `This database was prepared by a newer version of this program (its schema is ${version}, that of the ` +
        `backup ${backup.schema_version}). Choose a DATA_DIR (or an empty database) that was never started.`,
    );
  }
}

/** A running server does not notice that a restore replaces its data. */
async function refuseRunningServers(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
    where datname = current_database() and application_name = $1`,
    [connectionNames.server],
  );
  if (rows[0]?.others !== 0) {
    throw new BackupRefused('A server is running on this database. Stop it, then restore.');
  }
}

/** The database must be empty, unused and at the schema version of the backup. */
export async function refuseUnsuitableDatabase(client: pg.ClientBase, backup: Manifest): Promise<void> {
  await refuseRunningServers(client);
  await refuseNonEmptyDatabase(client);
  await refuseOtherSchema(client, backup);
}

async function disableMfa(client: pg.ClientBase): Promise<void> {
  await client.query('update users set mfa_secret = null, mfa_pending_secret = null, mfa_last_step = null');
  await client.query('delete from recovery_codes');
}

async function loadTable(client: pg.ClientBase, target: ObjectStorage, table: TableBackup): Promise<void> {
  const { name, columns, rows, parts, next_id } = table;
  // The backup includes the totals: the triggers would count all rows a second time.
  await client.query(`alter table ${name} disable trigger user`);
  const loaded = await withoutIndexes(client, name, async () => {
    const destination = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`));
    await pipeline(Readable.from(readParts(target, parts)), destination);
    return destination.rowCount;
  });
  await client.query(`alter table ${name} enable trigger user`);
  if (loaded !== rows) throw new BackupDamaged(`${name} has ${countText(loaded, 'row')} instead of ${rows}`);
  if (next_id !== null) {
    await client.query('select setval(pg_get_serial_sequence($1, $2), $3, false)', [name, 'id', next_id]);
  }
}

export type LoadOptions = {
  signal: AbortSignal;
  show: Progress;
  /** Disables MFA for all users: the seeds are useless without the key that encrypts them. */
  withoutMfa: boolean;
};

/** Loads all tables in one transaction. */
export async function loadTables(
  client: pg.ClientBase,
  target: ObjectStorage,
  backup: Manifest,
  { signal, show, withoutMfa }: LoadOptions,
): Promise<void> {
  await client.query('begin');
  // Copying documents may have taken hours, in which a server may have started.
  await refuseUnsuitableDatabase(client, backup);
  for (const table of backup.tables) {
    signal.throwIfAborted();
    show(`Loading ${table.rows.toLocaleString('en')} ${table.name.replace('_', ' ')}`);
    await loadTable(client, target, table);
  }
  if (withoutMfa) await disableMfa(client);
  await client.query('commit');
  await client.query(`analyze ${backup.tables.map(({ name }) => name).join(', ')}`);
}

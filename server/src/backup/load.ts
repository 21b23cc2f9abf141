import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { connectionNames } from '../db/client.ts';
import { withoutIndexes } from '../db/without-indexes.ts';
import type { ObjectStorage } from '../storage/port.ts';
import { BackupDamaged, BackupRefused, type Manifest, type TableBackup } from './layout.ts';
import { readParts } from './parts.ts';
import type { Progress } from './snapshot.ts';

const isEmpty = (table: string) => `not exists (select from ${table})`;

/** A database that has anything of its own in it is never written to. */
export async function refuseFilledDatabase(client: pg.ClientBase, backup: Manifest): Promise<void> {
  const { rows: versions } = await client.query<{ version: number }>(
    'select max(version) as version from schema_migrations',
  );
  const version = versions[0]?.version ?? 0;
  const checks = backup.tables.map(({ name }) => isEmpty(name)).join(' and ');
  const { rows } = await client.query<{ empty: boolean }>(`select ${checks} as empty`);
  if (!rows[0]?.empty) {
    throw new BackupRefused(
      'This installation is not empty. A backup is restored into a new one only: ' +
        'choose another DATA_DIR (or another DATABASE_URL).',
    );
  }
  if (version !== backup.schema_version) {
    throw new BackupRefused(
      `This database was prepared by a newer version of this program (its schema is ${version}, that of the ` +
        `backup ${backup.schema_version}). Choose a DATA_DIR (or an empty database) that was never started.`,
    );
  }
}

/** Servers that run would not know what became of their database. */
export async function refuseRunningServers(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
    where datname = current_database() and application_name = $1`,
    [connectionNames.server],
  );
  if (rows[0]?.others !== 0) {
    throw new BackupRefused('A server is running on this database. Stop it, then restore.');
  }
}

async function loadTable(client: pg.ClientBase, place: ObjectStorage, table: TableBackup): Promise<void> {
  const { name, columns, rows, parts, next_id } = table;
  // Totals and marks come with the backup: the triggers that keep them would count everything twice.
  await client.query(`alter table ${name} disable trigger user`);
  const loaded = await withoutIndexes(client, name, async () => {
    const destination = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`));
    await pipeline(Readable.from(readParts(place, parts)), destination);
    return destination.rowCount;
  });
  await client.query(`alter table ${name} enable trigger user`);
  if (loaded !== rows) throw new BackupDamaged(`${name} has ${loaded} rows instead of ${rows}`);
  if (next_id !== null) {
    await client.query('select setval(pg_get_serial_sequence($1, $2), $3, false)', [name, 'id', next_id]);
  }
}

/** All tables or none. */
export async function loadTables(
  client: pg.ClientBase,
  place: ObjectStorage,
  backup: Manifest,
  { signal, show }: { signal: AbortSignal; show: Progress },
): Promise<void> {
  await client.query('begin');
  for (const table of backup.tables) {
    signal.throwIfAborted();
    show(`Loading ${table.rows.toLocaleString('en')} ${table.name.replace('_', ' ')}`);
    await loadTable(client, place, table);
  }
  await client.query('commit');
  await client.query(`analyze ${backup.tables.map(({ name }) => name).join(', ')}`);
}

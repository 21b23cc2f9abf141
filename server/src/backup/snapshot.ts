import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { withOwnConnection } from '../db/own-connection.ts';
import type { ObjectStorage } from '../storage/port.ts';
import { type BackedUpTable, backedUpTables, folderOf, type Manifest, type TableBackup } from './layout.ts';
import { type PartsOptions, writeParts } from './parts.ts';

export type Progress = (text: string) => void;

/** Without generated columns: PostgreSQL would reject them on restore. */
async function columnsOf(client: pg.ClientBase, table: BackedUpTable): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
    where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

async function nextIdOf(
  client: pg.ClientBase,
  table: BackedUpTable,
  columns: string[],
): Promise<number | null> {
  if (!columns.includes('id')) return null;
  const { rows } = await client.query<{ sequence: string | null }>(
    'select pg_get_serial_sequence($1, $2) as sequence',
    [table, 'id'],
  );
  const sequence = rows[0]?.sequence;
  if (!sequence) return null;
  // Sequences are not part of a snapshot; they only grow, so no id is used twice.
  const { rows: values } = await client.query<{ next: string }>(
    `select last_value + case when is_called then 1 else 0 end as next from ${sequence}`,
  );
  return Number(values[0]?.next);
}

type Copied = Pick<TableBackup, 'rows' | 'parts'>;

// Removing old backups reads the lists of all kept backups in parallel, with one part of each in memory.
const listPartBytes = 256 * 1024;

async function copyOut(
  client: pg.ClientBase,
  target: ObjectStorage,
  { parentKey, source, ...options }: { parentKey: string; source: string } & PartsOptions,
): Promise<Copied> {
  const stream = client.query(copyTo(`copy ${source} to stdout`));
  const parts = await writeParts(target, parentKey, stream, options);
  return { rows: stream.rowCount, parts };
}

async function copyTable(
  client: pg.ClientBase,
  target: ObjectStorage,
  id: string,
  { name, signal }: { name: BackedUpTable; signal: AbortSignal },
): Promise<TableBackup> {
  const columns = await columnsOf(client, name);
  const source = `${name} (${columns.join(', ')})`;
  const parentKey = `${folderOf(id)}/tables/${name}`;
  const copied = await copyOut(client, target, { parentKey, source, signal });
  return { name, columns, ...copied, next_id: await nextIdOf(client, name, columns) };
}

const documentList = `(
  select encode(sha256, 'hex') || ' ' || file_size || ' ' || storage_key
  from documents order by sha256, id)`;

async function copyDocumentList(
  client: pg.ClientBase,
  target: ObjectStorage,
  id: string,
  signal: AbortSignal,
): Promise<Manifest['documents']> {
  const { rows: totals } = await client.query<{ objects: string; bytes: string }>(`
    select count(*) as objects, coalesce(sum(size), 0) as bytes
    from (select max(file_size) as size from documents group by sha256) as contents`);
  const { rows: count, parts } = await copyOut(client, target, {
    parentKey: `${folderOf(id)}/documents`,
    source: documentList,
    bytes: listPartBytes,
    signal,
  });
  return { count, objects: Number(totals[0]?.objects), bytes: Number(totals[0]?.bytes), parts };
}

export type Snapshot = Pick<Manifest, 'taken_at' | 'schema_version' | 'tables' | 'documents'>;

type SnapshotOptions = { signal: AbortSignal; show: Progress };

async function readAll(
  client: pg.ClientBase,
  target: ObjectStorage,
  id: string,
  { signal, show }: SnapshotOptions,
): Promise<Snapshot> {
  await client.query(
    'begin transaction isolation level repeatable read, read only; set local statement_timeout = 0',
  );
  const { rows } = await client.query<{ at: Date; version: number }>(
    'select now() as at, (select max(version) from schema_migrations) as version',
  );
  const tables: TableBackup[] = [];
  for (const name of backedUpTables) {
    signal.throwIfAborted();
    show(`Reading ${name.replace('_', ' ')}`);
    tables.push(await copyTable(client, target, id, { name, signal }));
  }
  signal.throwIfAborted();
  const documents = await copyDocumentList(client, target, id, signal);
  await client.query('commit');
  return {
    taken_at: rows[0]?.at.toISOString() ?? '',
    schema_version: rows[0]?.version ?? 0,
    tables,
    documents,
  };
}

/** Reads all rows in one snapshot without blocking writers. */
export function takeSnapshot(
  pool: pg.Pool,
  target: ObjectStorage,
  id: string,
  options: SnapshotOptions,
): Promise<Snapshot> {
  return withOwnConnection(pool, ({ client }) => readAll(client, target, id, options));
}

import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { progress } from '../progress.ts';
import { withEmbedded } from './cached-installation.ts';

const batchSize = 2_000;
const minBytes = 500;
const maxBytes = 20_000;

type Made = { id: number; checksum: string; size: number; key: string };

async function makeObject(objects: string, id: number): Promise<Made> {
  const bytes = randomBytes(minBytes + ((id * 7919) % (maxBytes - minBytes)));
  const key = `documents/bench/${String(id % 500).padStart(3, '0')}/${id}`;
  const path = join(objects, key);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, bytes, { mode: 0o600 });
  return { id, checksum: createHash('sha256').update(bytes).digest('hex'), size: bytes.length, key };
}

async function makeAll(pool: pg.Pool, objects: string): Promise<void> {
  for (let after = 0, done = 0; ; ) {
    const { rows } = await pool.query<{ id: string }>(
      'select id from documents where id > $1 order by id limit $2',
      [after, batchSize],
    );
    const made = await Promise.all(rows.map(({ id }) => makeObject(objects, Number(id))));
    await pool.query(
      `update documents set sha256 = decode(made.checksum, 'hex'), file_size = made.size, storage_key = made.key
      from unnest($1::bigint[], $2::text[], $3::int[], $4::text[]) as made (id, checksum, size, key)
      where documents.id = made.id`,
      [
        made.map(({ id }) => id),
        made.map(({ checksum }) => checksum),
        made.map(({ size }) => size),
        made.map(({ key }) => key),
      ],
    );
    done += made.length;
    progress(`objects ${done.toLocaleString('en')}`);
    if (rows.length < batchSize) return;
    after = made.at(-1)?.id ?? after;
  }
}

/** Writes an object for every document of an installation, once. */
export async function addObjects(folder: string): Promise<void> {
  const finishedMarker = join(folder, 'bench-objects');
  if (existsSync(finishedMarker)) return;
  await withEmbedded(folder, async (pool) => {
    await makeAll(pool, join(folder, 'objects'));
    await pool.query('vacuum (analyze) documents');
  });
  await writeFile(finishedMarker, '');
}

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

export type Value = string | number | null;

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const encode = (value: Value) =>
  value === null ? '\\N' : String(value).replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? '');

function* chunksOf(rows: Iterable<Value[]>): Generator<string> {
  let chunk = '';
  for (const row of rows) {
    chunk += `${row.map(encode).join('\t')}\n`;
    if (chunk.length < 65_536) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/** By far the fastest way to load rows; constraints and triggers still apply. */
export async function copyRows(
  client: pg.ClientBase,
  into: string,
  columns: readonly string[],
  rows: Iterable<Value[]>,
): Promise<void> {
  await pipeline(
    Readable.from(chunksOf(rows)),
    client.query(copyFrom(`copy ${into} (${columns.join(', ')}) from stdin`)),
  );
}

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { ObjectDamagedError, ObjectMissingError, type ObjectStorage } from '../storage/port.ts';
import { BackupDamaged, type Part } from './layout.ts';

// As much is in memory at once, however large a table is.
const partBytes = 16 * 1024 * 1024;
// A piece that comes from the database may reach beyond it.
const mostPartBytes = 4 * partBytes;

const compress = promisify(gzip);
const expand = promisify(gunzip);

export const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

export async function putPart(place: ObjectStorage, key: string, bytes: Buffer): Promise<Part> {
  await place.put(key, bytes);
  return { key, bytes: bytes.length, sha256: sha256Of(bytes) };
}

export type PartsOptions = {
  signal: AbortSignal;
  /** Before they are compressed; for what is read again side by side with others of its kind. */
  bytes?: number;
};

/** Writes what comes, compressed, in parts below the key. */
export async function writeParts(
  place: ObjectStorage,
  parentKey: string,
  source: AsyncIterable<Buffer>,
  { signal, bytes = partBytes }: PartsOptions,
): Promise<Part[]> {
  const parts: Part[] = [];
  let pieces: Buffer[] = [];
  let size = 0;
  const finish = async () => {
    if (size === 0) return;
    const key = `${parentKey}/${String(parts.length + 1).padStart(5, '0')}.gz`;
    parts.push(await putPart(place, key, await compress(Buffer.concat(pieces), { level: 5 })));
    pieces = [];
    size = 0;
  };
  for await (const piece of source) {
    signal.throwIfAborted();
    pieces.push(piece);
    size += piece.length;
    if (size >= bytes) await finish();
  }
  await finish();
  return parts;
}

/** The bytes as they were written, or BackupDamaged. */
export async function readPart(place: ObjectStorage, { key, bytes, sha256 }: Part): Promise<Buffer> {
  try {
    const body = await place.get(key, undefined, bytes, Buffer.from(sha256, 'hex'));
    return Buffer.concat(await body.toArray());
  } catch (error) {
    if (error instanceof ObjectMissingError) {
      throw new BackupDamaged(`${key} is missing or has another size than it was written with`);
    }
    if (error instanceof ObjectDamagedError) throw new BackupDamaged(`${key} is not what was written`);
    throw error;
  }
}

export async function* readParts(place: ObjectStorage, parts: readonly Part[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    yield await expand(await readPart(place, part), { maxOutputLength: mostPartBytes });
  }
}

export async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of source) {
    const lines = (rest + piece.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

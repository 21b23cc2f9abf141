import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { ObjectDamagedError, ObjectMissingError, type ObjectStorage } from '../storage/port.ts';
import { BackupDamaged, type Part } from './layout.ts';

// Bounds memory, however large a table is.
const partBytes = 16 * 1024 * 1024;
// A part ends after the chunk that exceeds partBytes.
const maxPartBytes = 4 * partBytes;

const compress = promisify(gzip);
const expand = promisify(gunzip);

export const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

export async function putPart(target: ObjectStorage, key: string, bytes: Buffer): Promise<Part> {
  await target.put(key, bytes);
  return { key, bytes: bytes.length, sha256: sha256Of(bytes) };
}

export type PartsOptions = {
  signal: AbortSignal;
  /** Uncompressed size of a part; smaller for lists that are read in parallel. */
  bytes?: number;
};

/** Writes the source as compressed parts below the key. */
export async function writeParts(
  target: ObjectStorage,
  parentKey: string,
  source: AsyncIterable<Buffer>,
  { signal, bytes = partBytes }: PartsOptions,
): Promise<Part[]> {
  const parts: Part[] = [];
  let chunks: Buffer[] = [];
  let size = 0;
  const flush = async () => {
    if (size === 0) return;
    const key = `${parentKey}/${String(parts.length + 1).padStart(5, '0')}.gz`;
    parts.push(await putPart(target, key, await compress(Buffer.concat(chunks), { level: 5 })));
    chunks = [];
    size = 0;
  };
  for await (const chunk of source) {
    signal.throwIfAborted();
    chunks.push(chunk);
    size += chunk.length;
    if (size >= bytes) await flush();
  }
  await flush();
  return parts;
}

/** Throws BackupDamaged unless size and checksum match. */
export async function readPart(target: ObjectStorage, { key, bytes, sha256 }: Part): Promise<Buffer> {
  try {
    const body = await target.get(key, { size: bytes, checksum: Buffer.from(sha256, 'hex') });
    return Buffer.concat(await body.toArray());
  } catch (error) {
    if (error instanceof ObjectMissingError) {
      throw new BackupDamaged(`${key} is missing or has another size than it was written with`);
    }
    if (error instanceof ObjectDamagedError) throw new BackupDamaged(`${key} is not what was written`);
    throw error;
  }
}

/** Undefined unless size and checksum match. */
export const readPartIfIntact = (target: ObjectStorage, part: Part): Promise<Buffer | undefined> =>
  readPart(target, part).catch((error: unknown) => {
    if (error instanceof BackupDamaged) return undefined;
    throw error;
  });

export async function* readParts(target: ObjectStorage, parts: readonly Part[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    yield await expand(await readPart(target, part), { maxOutputLength: maxPartBytes });
  }
}

export async function* splitLines(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of source) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

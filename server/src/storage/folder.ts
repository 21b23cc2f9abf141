import { randomUUID } from 'node:crypto';
import {
  type FileHandle,
  mkdir,
  open,
  opendir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { verifiedBody } from './body.ts';
import type { Checksum } from './checksum.ts';
import { FOLDER_MODE, makeFolders, syncFolder, syncFolders, writeDurably } from './durable-files.ts';
import { isObjectKey, refuseBadKey, refuseBadPrefix, refuseBadRange } from './guards.ts';
import {
  type ByteRange,
  ObjectMissingError,
  type ObjectStorage,
  StorageUnavailableError,
  type StoredObject,
} from './port.ts';

// No key can name it, because no part of a key begins with a dot.
const TEMPORARY_FOLDER = '.tmp';
// At the top of most disks of Linux, for its own use.
const LOST_AND_FOUND = 'lost+found';
// Each read is a trip to another thread: fewer and larger ones serve a file several times as fast.
const CHUNK_BYTES = 512 * 1024;
const STALE_AFTER_MS = 24 * 60 * 60 * 1000;

export type FolderOptions = {
  /** Nothing is made or written, so that it may lie on a medium that cannot be written. */
  forReading?: boolean;
  /** Folders that became empty go too. Only where nobody else may be putting an object there. */
  removesFolders?: boolean;
};

export async function createFolderStorage(root: string, options: FolderOptions = {}): Promise<ObjectStorage> {
  const home = resolve(root);
  const temporary = join(home, TEMPORARY_FOLDER);
  if (!options.forReading) await prepareFolders(home, temporary).catch(unavailable);

  /** An absent file means an absent object only while the folder itself is there: a disk may be unmounted. */
  async function confirmHome(): Promise<undefined> {
    await stat(options.forReading ? home : temporary).catch(unavailable);
  }

  async function put(key: string, body: Buffer): Promise<void> {
    refuseBadKey(key);
    const target = join(home, key);
    const draft = join(temporary, randomUUID());
    try {
      await writeDurably(draft, body);
      await makeFolders(home, key.split('/').slice(0, -1));
      await rename(draft, target);
      await syncFolders(dirname(target), home);
    } catch (error) {
      // What cannot be removed now goes with the stale ones at a later start.
      await rm(draft, { force: true }).catch(() => {});
      unavailable(error);
    }
  }

  async function get(
    key: string,
    range?: ByteRange,
    wholeSize?: number,
    checksum?: Checksum,
  ): Promise<Readable> {
    refuseBadKey(key);
    if (range) refuseBadRange(range);
    const handle = await open(join(home, key), 'r').catch((error) =>
      isAbsence(error) ? confirmHome() : unavailable(error),
    );
    if (!handle) throw new ObjectMissingError(key);
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || (wholeSize ?? stats.size) !== stats.size) throw new ObjectMissingError(key);
      return readOpened(handle, { key, size: stats.size, range, checksum });
    } catch (error) {
      await handle.close().catch(() => {});
      if (error instanceof ObjectMissingError || error instanceof RangeError) throw error;
      return unavailable(error);
    }
  }

  async function head(key: string): Promise<StoredObject | undefined> {
    refuseBadKey(key);
    const stats = await stat(join(home, key)).catch((error) =>
      isAbsence(error) ? confirmHome() : unavailable(error),
    );
    return stats?.isFile() ? { key, size: stats.size, modifiedAt: stats.mtime } : undefined;
  }

  async function remove(key: string): Promise<void> {
    refuseBadKey(key);
    const target = join(home, key);
    try {
      await unlink(target).catch(async (error) => {
        ignoreAbsence(error);
        await confirmHome();
        // The folder may have come back a moment ago, and the object with it.
        await unlink(target);
      });
      await syncFolder(dirname(target));
      if (options.removesFolders) await removeEmptyFolders(dirname(target), home);
    } catch (error) {
      ignoreAbsence(error);
    }
  }

  async function* list(prefix: string, onStray?: (name: string) => void): AsyncIterable<StoredObject> {
    refuseBadPrefix(prefix);
    await confirmHome();
    yield* walk('');

    async function* walk(parentKey: string): AsyncIterable<StoredObject> {
      // What vanishes during the walk was deleted meanwhile.
      const entries = await opendir(join(home, parentKey)).catch(ignoreAbsence);
      if (!entries) return;
      try {
        for await (const entry of entries) {
          const key = parentKey + entry.name;
          if (key === TEMPORARY_FOLDER || key === LOST_AND_FOUND) continue;
          if (!isObjectKey(key)) {
            if (key.startsWith(prefix)) onStray?.(key);
          } else if (entry.isDirectory()) {
            const below = `${key}/`;
            if (below.startsWith(prefix) || prefix.startsWith(below)) yield* walk(below);
          } else if (entry.isFile() && key.startsWith(prefix)) {
            const stats = await stat(join(home, key)).catch(ignoreAbsence);
            if (stats) yield { key, size: stats.size, modifiedAt: stats.mtime };
          } else if (key.startsWith(prefix)) {
            onStray?.(key);
          }
        }
      } catch (error) {
        unavailable(error);
      }
    }
  }

  async function checkHealth(): Promise<void> {
    const probe = join(temporary, `probe-${randomUUID()}`);
    const written = Buffer.from(probe);
    try {
      await writeDurably(probe, written);
      const read = await readFile(probe);
      if (!read.equals(written)) throw new Error('the probe was not read back as written');
      await unlink(probe);
    } catch (error) {
      await rm(probe, { force: true }).catch(() => {});
      unavailable(error);
    }
  }

  return { put, get, head, delete: remove, list, checkHealth, close: async () => {} };
}

async function prepareFolders(home: string, temporary: string): Promise<void> {
  const firstMade = await mkdir(home, { recursive: true, mode: FOLDER_MODE });
  if (firstMade) await syncFolders(dirname(home), dirname(firstMade));
  await mkdir(temporary, { recursive: true, mode: FOLDER_MODE });
  await syncFolder(home);

  const staleBefore = Date.now() - STALE_AFTER_MS;
  for await (const entry of await opendir(temporary)) {
    const path = join(temporary, entry.name);
    const stats = await stat(path).catch(ignoreAbsence);
    if (stats?.isFile() && stats.mtimeMs < staleBefore) await rm(path, { force: true });
  }
}

async function removeEmptyFolders(from: string, upTo: string): Promise<void> {
  for (let folder = from; folder !== upTo; folder = dirname(folder)) {
    const isRemoved = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}

type Wanted = { key: string; size: number; range: ByteRange | undefined; checksum: Checksum | undefined };

function readOpened(handle: FileHandle, { key, size, range, checksum }: Wanted): Readable {
  if (range && range.start >= size) throw new RangeError('byte range begins after the end of the object');
  const start = range?.start ?? 0;
  const end = Math.min(range?.end ?? size - 1, size - 1);
  // An empty file has no last byte that could be named.
  const stretch = size === 0 ? {} : { start, end };
  return verifiedBody(handle.createReadStream({ ...stretch, highWaterMark: CHUNK_BYTES }), {
    key,
    bytes: size === 0 ? 0 : end - start + 1,
    checksum: range ? undefined : checksum,
  });
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function ignoreAbsence(error: unknown): undefined {
  if (!isAbsence(error)) unavailable(error);
}

function unavailable(cause: unknown): never {
  if (cause instanceof StorageUnavailableError) throw cause;
  throw new StorageUnavailableError('document folder cannot be used', { cause });
}

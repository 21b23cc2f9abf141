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
import { folderMode, makeFolders, syncFolder, syncFolders, writeDurably } from './durable-files.ts';
import { assertKey, assertPrefix, assertRange, isObjectKey } from './guards.ts';
import {
  type ByteRange,
  ObjectMissingError,
  type ObjectStorage,
  type ReadOptions,
  StorageUnavailableError,
  type StoredObject,
} from './port.ts';

// Not a valid key, because no part of a key begins with a dot.
const temporaryFolder = '.tmp';
// Linux creates it at the root of most file systems.
const lostAndFound = 'lost+found';
// Each read is a round trip to the thread pool: large reads serve a file several times faster.
const chunkBytes = 512 * 1024;
const staleAfterMs = 24 * 60 * 60 * 1000;

export type FolderOptions = {
  /** Creates and writes nothing, so that the folder can be on read-only media. */
  readOnly?: boolean;
  /** Also deletes empty folders. Only safe if no other process puts objects at the same time. */
  removeEmptyFolders?: boolean;
};

export async function createFolderStorage(root: string, options: FolderOptions = {}): Promise<ObjectStorage> {
  const home = resolve(root);
  const temporary = join(home, temporaryFolder);
  if (!options.readOnly) await prepareFolders(home, temporary).catch(unavailable);

  /** A missing file means a missing object only if the folder itself exists: a disk may be unmounted. */
  async function confirmHome(): Promise<undefined> {
    await stat(options.readOnly ? home : temporary).catch(unavailable);
  }

  async function put(key: string, body: Buffer): Promise<void> {
    assertKey(key);
    const target = join(home, key);
    const draft = join(temporary, randomUUID());
    try {
      await writeDurably(draft, body);
      await makeFolders(home, key.split('/').slice(0, -1));
      await rename(draft, target);
      await syncFolders(dirname(target), home);
    } catch (error) {
      // If this fails, a later start removes the stale draft.
      await rm(draft, { force: true }).catch(() => {});
      unavailable(error);
    }
  }

  async function get(key: string, { range, size, checksum }: ReadOptions = {}): Promise<Readable> {
    assertKey(key);
    if (range) assertRange(range);
    const handle = await open(join(home, key), 'r').catch((error) =>
      isNotFound(error) ? confirmHome() : unavailable(error),
    );
    if (!handle) throw new ObjectMissingError(key);
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || (size ?? stats.size) !== stats.size) throw new ObjectMissingError(key);
      return createBody(handle, { key, size: stats.size, range, checksum });
    } catch (error) {
      await handle.close().catch(() => {});
      if (error instanceof ObjectMissingError || error instanceof RangeError) throw error;
      return unavailable(error);
    }
  }

  async function head(key: string): Promise<StoredObject | undefined> {
    assertKey(key);
    const stats = await stat(join(home, key)).catch((error) =>
      isNotFound(error) ? confirmHome() : unavailable(error),
    );
    return stats?.isFile() ? { key, size: stats.size, modifiedAt: stats.mtime } : undefined;
  }

  async function remove(key: string): Promise<void> {
    assertKey(key);
    const target = join(home, key);
    try {
      await unlink(target).catch(async (error) => {
        ignoreNotFound(error);
        await confirmHome();
        // The disk may have been mounted again meanwhile.
        await unlink(target);
      });
      await syncFolder(dirname(target));
      if (options.removeEmptyFolders) await pruneEmptyFolders(dirname(target), home);
    } catch (error) {
      ignoreNotFound(error);
    }
  }

  async function* list(prefix: string, onStray?: (name: string) => void): AsyncIterable<StoredObject> {
    assertPrefix(prefix);
    await confirmHome();
    yield* walk('');

    async function* walk(parentKey: string): AsyncIterable<StoredObject> {
      // Entries may be deleted during the walk.
      const entries = await opendir(join(home, parentKey)).catch(ignoreNotFound);
      if (!entries) return;
      try {
        for await (const entry of entries) {
          const key = parentKey + entry.name;
          if (key === temporaryFolder || key === lostAndFound) continue;
          if (!isObjectKey(key)) {
            if (key.startsWith(prefix)) onStray?.(key);
          } else if (entry.isDirectory()) {
            const below = `${key}/`;
            if (below.startsWith(prefix) || prefix.startsWith(below)) yield* walk(below);
          } else if (entry.isFile() && key.startsWith(prefix)) {
            const stats = await stat(join(home, key)).catch(ignoreNotFound);
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
  const firstCreated = await mkdir(home, { recursive: true, mode: folderMode });
  if (firstCreated) await syncFolders(dirname(home), dirname(firstCreated));
  await mkdir(temporary, { recursive: true, mode: folderMode });
  await syncFolder(home);

  const staleBefore = Date.now() - staleAfterMs;
  for await (const entry of await opendir(temporary)) {
    const path = join(temporary, entry.name);
    const stats = await stat(path).catch(ignoreNotFound);
    if (stats?.isFile() && stats.mtimeMs < staleBefore) await rm(path, { force: true });
  }
}

async function pruneEmptyFolders(from: string, upTo: string): Promise<void> {
  for (let folder = from; folder !== upTo; folder = dirname(folder)) {
    const isRemoved = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}

type Source = { key: string; size: number; range: ByteRange | undefined; checksum: Checksum | undefined };

function createBody(handle: FileHandle, { key, size, range, checksum }: Source): Readable {
  if (range && range.start >= size) throw new RangeError('byte range begins after the end of the object');
  const start = range?.start ?? 0;
  const end = Math.min(range?.end ?? size - 1, size - 1);
  // An empty file has no last byte to name.
  const position = size === 0 ? {} : { start, end };
  return verifiedBody(handle.createReadStream({ ...position, highWaterMark: chunkBytes }), {
    key,
    bytes: size === 0 ? 0 : end - start + 1,
    checksum: range ? undefined : checksum,
  });
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) unavailable(error);
}

function unavailable(cause: unknown): never {
  if (cause instanceof StorageUnavailableError) throw cause;
  throw new StorageUnavailableError('document folder cannot be used', { cause });
}

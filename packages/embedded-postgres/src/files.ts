import { randomUUID } from 'node:crypto';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './errors.ts';

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Writes a private file atomically and durably.
 * With `keep`, an existing file stays as it is.
 */
export async function writePrivateFile(
  file: string,
  text: string,
  present: 'keep' | 'replace',
): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`;
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (present === 'replace') await rename(unfinished, file);
    else await link(unfinished, file);
    await syncFolder(dirname(file));
  } catch (error) {
    if (present === 'replace' || errorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Makes a rename or a new file in this folder survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

/** The name prefix of incomplete cluster folders. Leftovers are removed later. */
export function unfinishedPrefix(location: string): string {
  return `${location}.new-`;
}

import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './errors.ts';

/**
 * Folder by folder: the recursive option of mkdir hides why a folder cannot be created, and on pseudo
 * file systems (/proc) it never returns.
 */
async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && (await stat(path)).isDirectory()) return;
    const parent = dirname(path);
    const parentIsMissing = await stat(parent).then(
      () => false,
      (reason: unknown) => errorCode(reason) === 'ENOENT',
    );
    if (errorCode(error) !== 'ENOENT' || !parentIsMissing) throw error;
    await makeFolder(parent);
    await mkdir(path, mode);
  }
}

/** Private. If this process is root, others may traverse it: the database inside belongs to a system user. */
export async function makeDataFolder(path: string): Promise<void> {
  await makeFolder(path, process.getuid?.() === 0 ? 0o711 : 0o700);
}

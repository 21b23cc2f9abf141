import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

export async function writeDurably(path: string, body: Buffer): Promise<void> {
  const handle = await open(path, 'wx', FILE_MODE);
  try {
    await handle.writeFile(body);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the folders below home one by one: home itself is never made again, it may be an unmounted disk. */
export async function makeFolders(home: string, names: string[]): Promise<void> {
  let folder = home;
  for (const name of names) {
    folder = join(folder, name);
    await mkdir(folder, { mode: FOLDER_MODE }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/**
 * Every folder on the way is synced, also those that were there before: another put may have made them a
 * moment ago and not have come to its own sync.
 */
export async function syncFolders(from: string, upTo: string): Promise<void> {
  for (let folder = from; ; folder = dirname(folder)) {
    await syncFolder(folder);
    if (folder === upTo || folder === dirname(folder)) return;
  }
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const fileMode = 0o600;
export const folderMode = 0o700;

export async function writeDurably(path: string, body: Buffer): Promise<void> {
  const handle = await open(path, 'wx', fileMode);
  try {
    await handle.writeFile(body);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates folders below home, never home itself, whose disk may not be mounted. */
export async function makeFolders(home: string, names: string[]): Promise<void> {
  let folder = home;
  for (const name of names) {
    folder = join(folder, name);
    await mkdir(folder, { mode: folderMode }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/**
 * Syncs existing folders too, because a concurrent put may have created them without having synced them yet.
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

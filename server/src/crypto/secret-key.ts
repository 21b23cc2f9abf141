import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const pathOf = (dataDir: string) => join(dataDir, 'secret.key');

/** Only for a new installation, where the old key protects nothing yet. */
export async function replaceSecretKey(dataDir: string, key: string): Promise<void> {
  const draft = `${pathOf(dataDir)}.new`;
  await writeFile(draft, key, { mode: 0o600, flush: true });
  await rename(draft, pathOf(dataDir));
}

/** The key in the data folder, created on the first start. Anyone who has it can read what it protects. */
export async function loadSecretKey(dataDir: string): Promise<string> {
  const path = pathOf(dataDir);
  try {
    // Fails if it exists, even if another process creates it at this moment.
    await writeFile(path, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const key = (await readFile(path, 'utf8')).trim();
  if (key.length < 32) throw new Error(`${path} is damaged: restore it from a backup`);
  return key;
}

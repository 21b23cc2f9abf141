import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Server } from './server.ts';

async function storedFiles({ dataDir }: Server): Promise<string[]> {
  const folder = join(dataDir, 'objects', 'documents');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Uploads, then deletes the stored object behind the server's back. The row stays. */
export async function uploadAndLoseContent<Saved>(
  server: Server,
  upload: () => Promise<Saved>,
): Promise<Saved> {
  const before = await storedFiles(server);
  const saved = await upload();
  const [added, ...more] = (await storedFiles(server)).filter((file) => !before.includes(file));
  if (!added || more.length > 0) throw new Error('Expected exactly one new file in the store');
  await rm(added);
  return saved;
}

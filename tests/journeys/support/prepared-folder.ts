import { rm } from 'node:fs/promises';
import { startServer, withoutAdmin } from './server.ts';

/** Runs before all tests: creates the data of a server without users for others to copy, which is faster. */
export default async function prepareFolder(): Promise<() => Promise<void>> {
  const server = await startServer(withoutAdmin);
  await server.stop({ keepData: true });
  process.env.PREPARED_DATA_DIR = server.dataDir;
  return () => rm(server.dataDir, { recursive: true, force: true });
}

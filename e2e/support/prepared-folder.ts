import { rm } from 'node:fs/promises';
import { startServer, withoutAdmin } from './server.ts';

/** Before all tests: the data of a server without users, which all others copy. Making a database takes its time. */
export default async function prepareFolder(): Promise<() => Promise<void>> {
  const server = await startServer(withoutAdmin);
  await server.stop({ keepData: true });
  process.env.PREPARED_DATA_DIR = server.dataDir;
  return () => rm(server.dataDir, { recursive: true, force: true });
}

import { rm } from 'node:fs/promises';
import { startServer } from './server.ts';

/** Before all tests: the data of a server at its first start, which others copy. Making a database takes its time. */
export default async function prepareFolder(): Promise<() => Promise<void>> {
  const server = await startServer();
  await server.stop({ keepData: true });
  process.env.PREPARED_DATA_DIR = server.dataDir;
  return () => rm(server.dataDir, { recursive: true, force: true });
}

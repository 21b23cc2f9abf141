import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildApp } from '../../server/src/app.ts';
import { readConfig } from '../../server/src/config.ts';
import { createLog } from '../../server/src/log.ts';
import { openDeps } from '../../server/src/open-deps.ts';
import { createClient } from '../../server/test/support/client.ts';
import { createTestClock } from '../../server/test/support/clock.ts';
import type { TestApp } from '../../server/test/support/test-app.ts';

export type ClockedOptions = {
  databaseUrl: string;
  folder: string;
  name: string;
  env: Record<string, string>;
};

/** The server in this process, with all it is made of but its clock, which can be moved. */
export async function startClocked({ databaseUrl, folder, name, env }: ClockedOptions): Promise<TestApp> {
  const dataDir = join(folder, name);
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o755);
  const config = readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: '0', ...env });
  const opened = await openDeps(config, createLog('silent'), { asTool: false });
  const clock = createTestClock();
  const deps = { ...opened.deps, clock };
  const app = await buildApp(deps);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    app,
    deps,
    pool: deps.pool,
    clock,
    url,
    databaseUrl,
    logs: () => '',
    client: (token) => createClient(url, token),
    announceStop: () => undefined,
    async close() {
      app.server.closeAllConnections();
      await app.close();
      await opened.close();
    },
  };
}

import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@customer-database/testkit/client';
import { createTestClock } from '@customer-database/testkit/clock';
import type { TestApp } from '@customer-database/testkit/test-app';
import { readConfig } from '../../../server/src/core/config.ts';
import { createLog } from '../../../server/src/core/log.ts';
import { buildApp } from '../../../server/src/start/app.ts';
import { openDeps } from '../../../server/src/start/open-deps.ts';

export type Options = {
  databaseUrl: string;
  folder: string;
  name: string;
  env: Record<string, string>;
};

/** The complete server in this process, with a clock that tests can move. */
export async function startWithClock({ databaseUrl, folder, name, env }: Options): Promise<TestApp> {
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

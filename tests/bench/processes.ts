import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { findRunningEmbedded } from '@customer-database/embedded-postgres/start';
import { createServer, type Server } from '@customer-database/testkit/killable-server';
import { readConfig } from '../../server/src/core/config.ts';
import type { Deps } from '../../server/src/core/deps.ts';
import { createLog } from '../../server/src/core/log.ts';
import { openDeps } from '../../server/src/start/open-deps.ts';
import type { BaselineInput } from './baseline/server.ts';
import type { Drive, Load } from './load.ts';

/** The product, as `npm start` runs it, on the data in this folder. */
export async function startServer(folder: string, env: Record<string, string> = {}): Promise<Server> {
  const server = await createServer({ folder, env });
  await server.start();
  return server;
}

/** Direct access to the data in this folder, as a tool of the command line has it. */
export const openTool = (folder: string) =>
  openDeps(readConfig({ DATA_DIR: folder }), createLog('error'), { asTool: true });

export type RunningBaseline = { url: string; stop(): void };

async function startBaseline(folder: string): Promise<RunningBaseline> {
  const child = fork(join(import.meta.dirname, 'baseline', 'server.ts'), { serialization: 'advanced' });
  const input: BaselineInput = {
    databaseUrl: (await findRunningEmbedded(folder)) ?? '',
    poolSize: 10,
    documentsFolder: join(folder, 'objects'),
  };
  child.send(input);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { url: `http://127.0.0.1:${port}`, stop: () => child.disconnect() };
}

export type Rivals = { server: Server; baseline: RunningBaseline };

/** The server and the baseline on the same data, and a tool beside them; all end with the stack. */
export async function startRivals(
  folder: string,
  cleanup: AsyncDisposableStack,
): Promise<Rivals & { deps: Deps }> {
  const server = cleanup.adopt(
    await startServer(folder),
    async (running) => void (await running.terminate()),
  );
  const { deps } = cleanup.adopt(await openTool(folder), (tool) => tool.close());
  const baseline = cleanup.adopt(await startBaseline(folder), (running) => running.stop());
  return { server, deps, baseline };
}

export type Driver = { drive(load: Load): Promise<Drive>; stop(): void };

export function startDriver(): Driver {
  const child = fork(join(import.meta.dirname, 'load.ts'), { serialization: 'advanced' });
  const pending = new Map<number, { resolve(result: Drive): void; reject(error: Error): void }>();
  let lastId = 0;
  child.on('message', ({ id, result, error }: { id: number; result?: Drive; error?: string }) => {
    if (result) pending.get(id)?.resolve(result);
    else pending.get(id)?.reject(new Error(error));
    pending.delete(id);
  });
  return {
    drive: (load) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        pending.set(lastId, { resolve, reject });
        child.send({ id: lastId, load });
      }),
    stop: () => child.disconnect(),
  };
}

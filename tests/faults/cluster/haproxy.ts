import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanUpAtExit } from '@customer-database/testkit/exit-cleanup';
import { haproxyProgram } from '@customer-database/testkit/haproxy';
import { freePort } from '@customer-database/testkit/ports';
import { until } from '@customer-database/testkit/until';

export type HaProxy = {
  /** Where it listens, as host:port. */
  address: string;
  /** Waits until it considers a server up; named backend/server, as in its configuration. */
  untilUp(server: string): Promise<void>;
  untilDown(server: string): Promise<void>;
  close(): Promise<void>;
};

/** HAProxy with one of the configurations in `deploy/`, on loopback only. */
export async function startHaProxy(
  configuration: 'haproxy.cfg' | 'haproxy-postgresql.cfg',
  folder: string,
  env: Record<string, string>,
): Promise<HaProxy> {
  const file = fileURLToPath(new URL(`../../../deploy/${configuration}`, import.meta.url));
  const address = `127.0.0.1:${await freePort()}`;
  const figures = `127.0.0.1:${await freePort()}`;
  const log = createWriteStream(join(folder, `${configuration}.log`), { flags: 'a' });
  await once(log, 'open');
  const child = spawn(haproxyProgram, ['-db', '-f', file], {
    env: { ...env, LISTEN: address, FIGURES: figures },
    stdio: ['ignore', log, log],
  });
  log.close();
  const ended = once(child, 'exit');
  const cancelCleanup = cleanUpAtExit(() => child.kill('SIGKILL'));

  async function statusOf(server: string): Promise<string | undefined> {
    if (child.exitCode !== null) throw new Error(`HAProxy ended; see ${folder}/${configuration}.log`);
    const table = await fetch(`http://${figures}/;csv`).then(
      (response) => response.text(),
      () => '',
    );
    const [header = '', ...lines] = table.split('\n');
    const column = header.split(',').indexOf('status');
    return lines.map((line) => line.split(',')).find(([backend, name]) => `${backend}/${name}` === server)?.[
      column
    ];
  }

  return {
    address,
    untilUp: async (server) => {
      const isUp = async () => (await statusOf(server)) === 'UP';
      await until(`the proxy takes server ${server}`, isUp, 60_000);
    },
    untilDown: async (server) => {
      const isDown = async () => (await statusOf(server)) === 'DOWN';
      await until(`the proxy leaves server ${server}`, isDown, 60_000);
    },
    async close() {
      child.kill('SIGTERM');
      await ended;
      cancelCleanup();
    },
  };
}

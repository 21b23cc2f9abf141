import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../core/config.ts';
import type { Deps } from '../core/deps.ts';
import { openLocalhost } from '../http/localhost.ts';
import { buildApp } from './app.ts';

export type HttpServer = {
  /** The address to open. */
  url: string;
  close(): Promise<void>;
};

// Running requests get this long before their connections are closed. The whole shutdown, including the delay for
// proxies, must take less than fifteen seconds.
const drainTimeoutMs = (config: Config) => Math.min(10_000, 12_000 - config.shutdownDelayMs);

/** Opens the port. */
export async function startHttpServer(deps: Deps): Promise<HttpServer> {
  const { config } = deps;
  const app = await buildApp(deps);
  const host = config.host === 'localhost' ? '127.0.0.1' : config.host;
  const address = await app.listen({ port: config.port, host });
  const localhost = config.publicUrl === undefined ? await openLocalhost(app.server, address) : undefined;
  return {
    url: localhost?.url ?? config.publicUrl ?? address,
    async close() {
      const closed = Promise.all([app.close(), localhost?.close()]);
      await Promise.race([closed, delay(drainTimeoutMs(config), undefined, { ref: false })]);
      app.server.closeAllConnections();
    },
  };
}

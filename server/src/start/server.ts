import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../core/config.ts';
import type { Deps } from '../core/deps.ts';
import { startJobWorker } from '../jobs/worker.ts';
import { createConfiguredAdmin, needsFirstAdmin, setupCode } from '../modules/auth/register.ts';
import { buildApp } from './app.ts';
import { createJobHandlers } from './job-handlers.ts';
import { openDeps } from './open-deps.ts';

/** It may come later: uploads are refused until then, and everything else works. */
async function warnWithoutScanner({ scanner, log }: Deps): Promise<void> {
  try {
    await scanner?.checkHealth();
  } catch (err) {
    log.warn({ err }, 'CLAMD_URL: the virus scanner does not answer; uploads are refused until it does');
  }
}

export type RunningServer = {
  /** The address to open. */
  url: string;
  /** While no user exists: where to make the first administrator. */
  setupUrl: string | undefined;
  stop(): Promise<void>;
};

export type StartOptions = {
  /** Aborted when the server was told to stop, which may be a while before `stop` is called. */
  stopping: AbortSignal;
  /** Done once the database is open, before the port is. */
  prepare: (deps: Deps) => Promise<void>;
  /** The embedded database is gone for good: another server has taken the data folder. */
  onDatabaseLost: (reason: string) => void;
};

// Requests that run get this long to finish; then what is left is cut off. All of a stop must be over
// within fifteen seconds, the time for proxies included.
const finishWithinMs = (config: Config) => Math.min(10_000, 12_000 - config.shutdownDelayMs);

/** Everything from settings to an open port, and back again in the opposite order. */
export async function startServer(
  config: Config,
  log: Logger,
  options: StartOptions,
): Promise<RunningServer> {
  const { onDatabaseLost, stopping } = options;
  const { deps, close } = await openDeps(config, log, { asTool: false, onDatabaseLost, stopping });
  const app = await buildApp(deps).catch(async (error) => {
    await close();
    throw error;
  });
  try {
    await createConfiguredAdmin(deps);
    await options.prepare(deps);
    const address = await app.listen({ port: config.port, host: config.host });
    void warnWithoutScanner(deps);
    const url = config.publicUrl ?? address;
    const jobs = await startJobWorker(deps.pool, createJobHandlers(deps, url), log, stopping);
    return {
      url,
      setupUrl: (await needsFirstAdmin(deps)) ? `${url}/login#setup_code=${setupCode(deps)}` : undefined,
      async stop() {
        await Promise.race([app.close(), delay(finishWithinMs(config), undefined, { ref: false })]);
        app.server.closeAllConnections();
        await jobs.stop();
        await close();
      },
    };
  } catch (error) {
    await app.close();
    await close();
    throw error;
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../core/config.ts';
import type { Deps } from '../core/deps.ts';
import { startJobWorker } from '../jobs/worker.ts';
import { createConfiguredAdmin, needsFirstAdmin, setupCode } from '../modules/auth/register.ts';
import { buildApp } from './app.ts';
import { jobs } from './jobs.ts';
import { openDeps } from './open-deps.ts';

/** The scanner may start later: until then only uploads fail. */
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
  /** Where to create the first administrator, while there is no user. */
  setupUrl: string | undefined;
  stop(): Promise<void>;
};

export type StartOptions = {
  /** Aborted when shutdown begins, which may be a while before `stop` is called. */
  stopping: AbortSignal;
  /** Runs after the database opens and before the port does. */
  prepare: (deps: Deps) => Promise<void>;
  /** The embedded database is gone for good: another server has taken the data folder. */
  onDatabaseLost: (reason: string) => void;
};

// Time for running requests to finish before their connections are closed. The whole shutdown, including the
// delay for proxies, must fit into fifteen seconds.
const drainTimeoutMs = (config: Config) => Math.min(10_000, 12_000 - config.shutdownDelayMs);

/** Starts everything from settings to an open port; `stop` reverses the order. */
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
    const worker = await startJobWorker(deps.db, { ...deps, publicUrl: url }, jobs);
    return {
      url,
      setupUrl: (await needsFirstAdmin(deps)) ? `${url}/login#setup_code=${setupCode(deps)}` : undefined,
      async stop() {
        await Promise.race([app.close(), delay(drainTimeoutMs(config), undefined, { ref: false })]);
        app.server.closeAllConnections();
        await worker.stop();
        await close();
      },
    };
  } catch (error) {
    await app.close();
    await close();
    throw error;
  }
}

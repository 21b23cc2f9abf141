import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../core/config.ts';
import type { Deps, JobDeps } from '../core/deps.ts';
import { reasonOf } from '../core/log.ts';
import { openLocalhost } from '../http/localhost.ts';
import { type JobWorker, openJobWorker } from '../jobs/worker.ts';
import {
  createConfiguredAdmin,
  needsFirstAdmin,
  setupCode,
  warnAdmins,
} from '../modules/accounts/commands.ts';
import { type Sealer, startSealing } from '../modules/activity/seals/sealer.ts';
import { buildApp } from './app.ts';
import { jobs } from './jobs.ts';
import { openDeps } from './open-deps.ts';
import { openSealCopy } from './seal-copy.ts';

/** Both may start later: until then only uploads and downloads fail. */
async function warnAboutOthers({ scanner, storage, log }: Deps): Promise<void> {
  await scanner?.checkHealth().catch((err: unknown) => {
    log.warn({ err }, 'CLAMD_URL: the virus scanner does not answer; uploads are refused until it does');
  });
  await storage.checkHealth().catch((error: unknown) => {
    const reason = reasonOf(error);
    log.error({ reason }, 'the document storage cannot be used: check S3_BUCKET, S3_ENDPOINT and the keys');
  });
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
  let worker: JobWorker<JobDeps> | undefined;
  let sealer: Sealer | undefined;
  try {
    await createConfiguredAdmin(deps);
    await options.prepare(deps);
    const needsSetup = await needsFirstAdmin(deps);
    const opened = await openJobWorker(deps.db, log, jobs);
    worker = opened;
    // From here on an outage of the database must not stop the server.
    const host = config.host === 'localhost' ? '127.0.0.1' : config.host;
    const address = await app.listen({ port: config.port, host });
    void warnAboutOthers(deps);
    const localhost = config.publicUrl === undefined ? await openLocalhost(app.server, address) : undefined;
    const url = localhost?.url ?? config.publicUrl ?? address;
    await opened.start({ ...deps, publicUrl: url });
    sealer = startSealing(deps, {
      copySeals: await openSealCopy(deps),
      alarm: (text) => warnAdmins(deps, text),
    });
    return {
      url,
      setupUrl: needsSetup ? `${url}/login#setup_code=${setupCode(deps)}` : undefined,
      async stop() {
        const closed = Promise.all([app.close(), localhost?.close()]);
        await Promise.race([closed, delay(drainTimeoutMs(config), undefined, { ref: false })]);
        app.server.closeAllConnections();
        await opened.stop();
        await sealer?.stop();
        await close();
      },
    };
  } catch (error) {
    await sealer?.stop();
    await worker?.stop();
    await app.close();
    await close();
    throw error;
  }
}

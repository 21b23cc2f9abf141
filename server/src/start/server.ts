import type { Logger } from 'pino';
import type { Config } from '../core/config.ts';
import type { Deps } from '../core/deps.ts';
import { openBackground, setupUrlOf } from './background.ts';
import { startHttpServer } from './http-server.ts';
import { openDeps } from './open-deps.ts';
import { startWorkers } from './workers.ts';

export type RunningServer = {
  url: string;
  /** The page that creates the first administrator; undefined if there is a user. */
  setupUrl: string | undefined;
  stop(): Promise<void>;
};

export type StartOptions = {
  /** Aborted when shutdown begins, which may be seconds before `stop` is called. */
  stopping: AbortSignal;
  /** Runs after the database opens and before the port does. */
  prepare: (deps: Deps) => Promise<void>;
  /** Another server has taken the data folder, so the embedded database will not restart. */
  onDatabaseLost: (reason: string) => void;
};

/** Starts everything from settings to an open port; `stop` reverses the order. */
export async function startServer(
  config: Config,
  log: Logger,
  { stopping, prepare, onDatabaseLost }: StartOptions,
): Promise<RunningServer> {
  await using opened = new AsyncDisposableStack();
  const { deps, close } = await openDeps(config, log, {
    asTool: false,
    withConverter: true,
    onDatabaseLost,
    stopping,
  });
  opened.defer(close);
  const background = await openBackground(deps, prepare);
  opened.defer(background.stop);
  // From here on an outage of the database must not stop the server.
  const http = config.processes > 1 ? await startWorkers(deps) : await startHttpServer(deps);
  opened.defer(http.close);
  await background.start(http.url);
  const running = opened.move();
  return {
    url: http.url,
    setupUrl: background.needsSetup ? setupUrlOf(deps, http.url) : undefined,
    stop: () => running.disposeAsync(),
  };
}

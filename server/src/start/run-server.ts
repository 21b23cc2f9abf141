import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../core/config.ts';
import { ConfigError } from '../core/config-rules.ts';
import type { Deps } from '../core/deps.ts';
import { createLog, terminalStream } from '../core/log.ts';
import { startServer } from './server.ts';
import { startupText } from './startup-errors.ts';
import { runWorker } from './worker.ts';
import { WorkerFailed } from './workers.ts';

// After this time the process exits anyway.
const shutdownTimeoutMs = 15_000;

export type RunOptions = {
  /** Runs after the database opens and before the port does; must stop on the signal. */
  prepare?: (deps: Deps, signal: AbortSignal) => Promise<void>;
  /** Lines to print below the URL. */
  announce?: () => Promise<string[]>;
};

/** Prints lines to a terminal; elsewhere logs them as JSON, at any LOG_LEVEL. */
function announce(log: Logger, lines: string[]): void {
  if (process.stdout.isTTY) console.log(`\n${lines.join('\n')}\n`);
  else for (const line of lines) log.child({}, { level: 'info' }).info(line);
}

async function run(config: Config, log: Logger, options: RunOptions): Promise<void> {
  const stopping = new AbortController();
  const skipDelay = new AbortController();
  let lastSignalAt = 0;

  /** Keeps serving while readiness fails, so that a proxy can redirect traffic before the port closes. */
  async function waitForProxies(reason: string): Promise<void> {
    if (reason === 'SIGTERM') {
      await delay(config.shutdownDelayMs, undefined, { signal: skipDelay.signal }).catch(() => undefined);
    }
    skipDelay.abort();
  }

  async function stop(reason: string): Promise<void> {
    if (stopping.signal.aborted) {
      // The launcher forwards Ctrl-C too; only a later signal is a second request.
      if (Date.now() - lastSignalAt < 1_000) return;
      if (skipDelay.signal.aborted) process.exit(1);
      lastSignalAt = Date.now();
      skipDelay.abort();
      return;
    }
    lastSignalAt = Date.now();
    stopping.abort();
    log.info({ reason }, 'stopping');
    setTimeout(() => process.exit(1), shutdownTimeoutMs).unref();
    // Also during startup, because a database that has started needs a clean stop.
    const server = await starting.catch(() => undefined);
    if (server) await waitForProxies(reason);
    await server?.stop();
    process.exit(0);
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
  process.on('disconnect', () => stop('the launcher ended'));

  const starting = startServer(config, log, {
    stopping: stopping.signal,
    prepare: (deps) => options.prepare?.(deps, stopping.signal) ?? Promise.resolve(),
    onDatabaseLost: (reason) => stop(reason),
  });
  const server = await starting;
  if (stopping.signal.aborted) return;

  announce(log, [
    `Customer Database is running at ${server.url}`,
    ...(server.setupUrl ? [`Create the first administrator at ${server.setupUrl}`] : []),
    ...((await options.announce?.()) ?? []),
    'Press Ctrl-C to stop.',
  ]);
}

/** Starts the server, prints its URL, and stops on a signal. Prints a failure as one line that says what to do. */
export async function runServer(readSettings: () => Config, options: RunOptions = {}): Promise<void> {
  try {
    const config = readSettings();
    const log = createLog(config.logLevel, terminalStream());
    await (cluster.isWorker ? runWorker(config, log) : run(config, log, options));
  } catch (error) {
    if (!(error instanceof WorkerFailed))
      console.error(error instanceof ConfigError ? `Wrong setting: ${error.message}` : startupText(error));
    process.exit(1);
  }
}

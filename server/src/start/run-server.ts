import { setTimeout as delay } from 'node:timers/promises';
import { type Config, ConfigError } from '../core/config.ts';
import type { Deps } from '../core/deps.ts';
import { createLog, terminalStream } from '../core/log.ts';
import { startServer } from './server.ts';
import { startupText } from './startup-errors.ts';

// A stop that takes longer than this has gone wrong, and whoever waits for it must not wait for ever.
const stopWithinMs = 15_000;

export type RunOptions = {
  /** Done once the database is open, before the port is; must end early when the signal says so. */
  prepare?: (deps: Deps, signal: AbortSignal) => Promise<void>;
  /** Lines to print below the address. */
  announce?: () => Promise<string[]>;
};

async function run(config: Config, options: RunOptions): Promise<void> {
  const log = createLog(config.logLevel, terminalStream());
  const stopping = new AbortController();
  const hurry = new AbortController();
  let stoppingSince = 0;

  /** Says 'not ready' and goes on serving, so that a proxy can send people elsewhere before the port closes. */
  async function letProxiesKnow(reason: string): Promise<void> {
    if (reason === 'SIGTERM') {
      await delay(config.shutdownDelayMs, undefined, { signal: hurry.signal }).catch(() => undefined);
    }
    hurry.abort();
  }

  async function stop(reason: string): Promise<void> {
    if (stopping.signal.aborted) {
      // Ctrl-C reaches the launcher too, which passes it on: only a later one is a second wish.
      if (Date.now() - stoppingSince < 1_000) return;
      if (hurry.signal.aborted) process.exit(1);
      stoppingSince = Date.now();
      hurry.abort();
      return;
    }
    stoppingSince = Date.now();
    stopping.abort();
    log.info({ reason }, 'stopping');
    setTimeout(() => process.exit(1), stopWithinMs).unref();
    // Also in the middle of a start: a database that was started must be stopped in order.
    const server = await starting.catch(() => undefined);
    if (server) await letProxiesKnow(reason);
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

  console.log(`\nCustomer Database is running at ${server.url}`);
  if (server.setupUrl) console.log(`Create the first administrator at ${server.setupUrl}`);
  for (const line of (await options.announce?.()) ?? []) console.log(line);
  console.log('Press Ctrl-C to stop.\n');
}

/** Starts, prints where, and stops when told to; a failure is one line that says what to do. */
export async function runServer(readSettings: () => Config, options: RunOptions = {}): Promise<void> {
  try {
    await run(readSettings(), options);
  } catch (error) {
    console.error(error instanceof ConfigError ? `Wrong setting: ${error.message}` : startupText(error));
    process.exit(1);
  }
}

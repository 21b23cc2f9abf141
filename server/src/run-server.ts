import { type Config, ConfigError } from './config.ts';
import type { Deps } from './deps.ts';
import { createLog, terminalStream } from './log.ts';
import { startServer } from './server.ts';
import { startupText } from './startup-errors.ts';

// A stop that takes longer than this has gone wrong, and whoever waits for it must not wait for ever.
const stopWithinMs = 15_000;

export type RunOptions = {
  /** Done once the database is open, before the port is. */
  prepare?: (deps: Deps) => Promise<void>;
  /** Lines to print below the address. */
  announce?: () => Promise<string[]>;
};

async function start(config: Config, options: RunOptions): Promise<void> {
  const log = createLog(config.logLevel, terminalStream());
  const server = await startServer(config, log, options.prepare);

  console.log(`\nCustomer Database is running at ${server.url}`);
  if (server.setupUrl) console.log(`Create the first administrator at ${server.setupUrl}`);
  for (const line of (await options.announce?.()) ?? []) console.log(line);
  console.log('Press Ctrl-C to stop.\n');

  let stoppingSince: number | undefined;
  async function stop(reason: string): Promise<void> {
    if (stoppingSince !== undefined) {
      // Ctrl-C reaches the launcher too, which passes it on: only a later one is a second wish.
      if (Date.now() - stoppingSince > 1_000) process.exit(1);
      return;
    }
    stoppingSince = Date.now();
    log.info({ reason }, 'stopping');
    setTimeout(() => process.exit(1), stopWithinMs).unref();
    await server.stop();
    process.exit(0);
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
  process.on('disconnect', () => stop('the launcher ended'));
}

/** Starts, prints where, and stops when told to; a failure is one line that says what to do. */
export async function runServer(readSettings: () => Config, options: RunOptions = {}): Promise<void> {
  try {
    await start(readSettings(), options);
  } catch (error) {
    console.error(error instanceof ConfigError ? `Wrong setting: ${error.message}` : startupText(error));
    process.exit(1);
  }
}

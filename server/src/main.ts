import { ConfigError, readConfig } from './config.ts';
import { createLog, terminalStream } from './log.ts';
import { startServer } from './server.ts';
import { startupText } from './startup-errors.ts';

// A stop that takes longer than this has gone wrong, and whoever waits for it must not wait for ever.
const stopWithinMs = 15_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel, terminalStream());
  const server = await startServer(config, log);

  console.log(`\nCustomer Database is running at ${server.url}`);
  if (server.setupUrl) console.log(`Create the first administrator at ${server.setupUrl}`);
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

main().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? `Wrong setting: ${error.message}` : startupText(error));
  process.exit(1);
});

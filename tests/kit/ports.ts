import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { until } from './until.ts';

/**
 * A port on which nothing listens, outside Linux's ephemeral range: a client that keeps connecting to a stopped
 * server could otherwise get that very port and connect to itself.
 */
export async function freePort(): Promise<number> {
  while (true) {
    const port = randomInt(15_000, 30_000);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').catch(() => undefined);
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}

/** Waits until the started program accepts connections; otherwise its log says why it does not. */
export async function untilListening(
  name: string,
  { port, child, logFile }: { port: number; child: ChildProcess; logFile: string },
): Promise<void> {
  const isListening = async () => {
    if (child.exitCode !== null) throw new Error('It has ended');
    const socket = connect(port, '127.0.0.1');
    const outcome = await once(socket, 'connect').catch(() => undefined);
    socket.destroy();
    return outcome !== undefined;
  };
  await until('it listens', isListening, 120_000).catch((error: Error) => {
    const log = readFileSync(logFile, 'utf8').slice(-2000);
    throw new Error(`${name} did not start: ${error.message}\n${log}`);
  });
}

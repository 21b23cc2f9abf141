import { once } from 'node:events';
import { glob, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { afterTest } from '@customer-database/testkit/cleanup';

/** The command lines of all processes of this machine that contain this text. */
export async function processesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob('/proc/[0-9]*/cmdline')) {
    const line = await readFile(path, 'latin1').catch(() => '');
    if (line.includes(text)) found.push(path);
  }
  return found;
}

export async function listen(): Promise<{ port: number; received: () => number }> {
  let received = 0;
  const server = createServer((socket) => {
    received += 1;
    socket.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  afterTest(async () => void server.close());
  return { port: (server.address() as AddressInfo).port, received: () => received };
}

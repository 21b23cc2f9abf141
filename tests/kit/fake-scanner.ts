import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterFile } from './cleanup.ts';

export type FakeScanner = {
  url: string;
  /** All bytes received over all connections. */
  received(): Buffer;
  /** Connections open now. */
  open(): number;
};

/** Plays clamd's side of the protocol as a test scripts it. */
export async function startFakeScanner(
  onConnection: (socket: Socket, onAsked: (answer: () => void) => void) => void,
): Promise<FakeScanner> {
  const chunks: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let tail = Buffer.alloc(0);
    let answer = () => {};
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      tail = Buffer.concat([tail, chunk]).subarray(-4);
      if (tail.equals(Buffer.alloc(4))) answer();
    });
    onConnection(socket, (whenAsked) => {
      answer = whenAsked;
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  afterFile(async () => server.close());
  return {
    url: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => Buffer.concat(chunks),
    open() {
      // A paused socket does not notice that its peer has gone.
      for (const socket of sockets) socket.resume();
      return sockets.size;
    },
  };
}

/** Answers each complete request with these bytes. */
export const scannerThatSays = (answer: string) =>
  startFakeScanner((socket, onAsked) => onAsked(() => socket.write(answer)));

const listenCode = `require('node:net').createServer()
  .listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(this.address().port); });`;

/** Listens but accepts no connection: its process is stopped and its backlog is full. */
export async function startHungScanner(): Promise<{ url: string }> {
  const child = spawn(process.execPath, ['-e', listenCode]);
  const port = Number(await once(child.stdout, 'data'));
  child.kill('SIGSTOP');
  const waiting = Array.from({ length: 5 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  afterFile(async () => {
    for (const socket of waiting) socket.destroy();
    child.kill('SIGKILL');
  });
  return { url: `tcp://127.0.0.1:${port}` };
}

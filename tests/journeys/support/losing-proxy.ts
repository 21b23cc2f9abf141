import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between browser and server. While it loses, the server gets requests, but the browser no responses. */
export async function startLosingProxy(target: string) {
  const sockets = new Set<Socket>();
  let isLosing = false;
  let lost = 0;
  const proxy = createServer((client) => {
    const server = connect(Number(new URL(target).port), '127.0.0.1');
    server.on('data', (answer) => {
      if (isLosing) {
        lost += 1;
        client.destroy();
      } else client.write(answer);
    });
    client.on('data', (request) => server.write(request));
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        for (const other of [client, server]) other.destroy();
      });
    }
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    lose(losing: boolean): void {
      isLosing = losing;
    },
    lostAnswers: () => lost,
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

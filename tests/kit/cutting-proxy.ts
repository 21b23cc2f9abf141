import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';

/** Forwards connections to the store and cuts them after so many bytes of the response. */
export async function cuttingProxy(
  target: string,
  cutAfter: number,
): Promise<{ endpoint: string; server: Server }> {
  const server = createServer((client) => {
    const store = connect(Number(new URL(target).port), '127.0.0.1');
    let passed = 0;
    store.on('data', (chunk) => {
      passed += chunk.length;
      client.write(chunk);
      if (passed >= cutAfter) client.end(() => store.destroy());
    });
    client.on('data', (chunk) => store.write(chunk));
    client.on('close', () => store.destroy());
    for (const socket of [client, store]) socket.on('error', () => {});
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';

/** Browsers try both for 'localhost', and one of them may lead to another program. */
const otherLoopback: Record<string, string> = { '127.0.0.1': '::1', '::1': '127.0.0.1' };

export type Localhost = { url: string; close(): Promise<void> };

/**
 * Makes a server at a loopback address reachable by the name, which passkeys need: it also takes connections at the other
 * loopback address. Its url is `address` where the name cannot be used.
 */
export async function openLocalhost(server: Server, address: string): Promise<Localhost> {
  const { address: host, port } = server.address() as AddressInfo;
  const other = otherLoopback[host];
  if (other === undefined) return { url: address, close: async () => undefined };
  const options = { allowHalfOpen: true, noDelay: true };
  const beside = createServer(options, (socket) => server.emit('connection', socket));
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    beside.once('error', resolve);
    beside.listen(port, other, () => resolve(undefined));
  });
  return {
    // Any other error says that this machine has no such address: then the name leads here alone.
    url: error?.code === 'EADDRINUSE' ? address : `http://localhost:${port}`,
    close: () => new Promise((resolve) => beside.close(() => resolve())),
  };
}

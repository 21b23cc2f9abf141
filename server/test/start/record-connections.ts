// Loaded into the server with --import: records every address that it connects to or looks up.
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const file = process.env.CONNECTIONS_FILE ?? '';
const record = (address: unknown) => appendFileSync(file, `${String(address)}\n`);

/** Takes public arguments, or Node's internal list with the options first. */
function addressOf(args: unknown[]): string {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof first === 'object' && first !== null) {
    const { path, host, port } = first as { path?: string; host?: string; port?: number };
    return path ?? `${host ?? 'localhost'} ${port}`;
  }
  return typeof first === 'number'
    ? `${typeof second === 'string' ? second : 'localhost'} ${first}`
    : `${first}`;
}

function wrap(owner: object, name: string, describe: (args: unknown[]) => string): void {
  const target = owner as Record<string, (...args: unknown[]) => unknown>;
  const original = target[name];
  target[name] = function noted(this: unknown, ...args: unknown[]) {
    record(describe(args));
    return original?.apply(this, args);
  };
}

wrap(net.Socket.prototype, 'connect', addressOf);
wrap(dgram.Socket.prototype, 'send', (args) => `datagram ${args.filter((arg) => typeof arg === 'string')}`);
wrap(dgram.Socket.prototype, 'connect', (args) => `datagram ${args[1]}`);
for (const owner of [dns, dns.promises]) {
  for (const name of Object.keys(owner).filter((key) => /^(lookup|resolve|reverse)/.test(key))) {
    wrap(owner, name, (args) => `${args[0]} by name`);
  }
}
syncBuiltinESMExports();

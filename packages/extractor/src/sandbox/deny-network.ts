import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';

/*
 * Node's permission model denies files, processes, threads and add-ons, but not yet the network. Nothing here has a
 * reason to use it: whatever tries fails.
 */
function deny(): never {
  throw new Error('this process has no network');
}

for (const owner of [net.Socket.prototype, net.Server.prototype, dgram.Socket.prototype, dns, dns.promises]) {
  for (const name of ['connect', 'listen', 'bind', 'send', 'lookup', 'resolve', 'setServers']) {
    if (name in owner) Object.defineProperty(owner, name, { value: deny });
  }
}
for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']) {
  Object.defineProperty(globalThis, name, { value: deny });
}

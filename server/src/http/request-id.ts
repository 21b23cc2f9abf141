import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

const harmless = /^[A-Za-z0-9._-]{1,64}$/;

function listOf(networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Made here, or by a proxy of ours, so that one id leads through the logs of both. */
export function requestIds(trustedProxies: boolean | string[]): (request: IncomingMessage) => string {
  const proxies = listOf(Array.isArray(trustedProxies) ? trustedProxies : []);
  return ({ headers, socket }) => {
    const given = headers['x-request-id'];
    const peer = socket.remoteAddress;
    if (typeof given !== 'string' || !harmless.test(given) || peer === undefined) return randomUUID();
    return proxies.check(peer, isIPv6(peer) ? 'ipv6' : 'ipv4') ? given : randomUUID();
  };
}

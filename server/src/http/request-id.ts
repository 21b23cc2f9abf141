import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

const safeId = /^[A-Za-z0-9._-]{1,64}$/;

function toBlockList(networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Accepts the id of a trusted proxy, so that both logs share it, and otherwise generates one. */
export function requestIds(trustedProxies: boolean | string[]): (request: IncomingMessage) => string {
  const proxies = toBlockList(Array.isArray(trustedProxies) ? trustedProxies : []);
  return ({ headers, socket }) => {
    const given = headers['x-request-id'];
    const peer = socket.remoteAddress;
    if (typeof given !== 'string' || !safeId.test(given) || peer === undefined) return randomUUID();
    return proxies.check(peer, isIPv6(peer) ? 'ipv6' : 'ipv4') ? given : randomUUID();
  };
}

import { spawnSync } from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns/promises';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { Worker } from 'node:worker_threads';

/* Runs in the sandbox and reports what it was able to do. */

type Attempt = () => unknown;

const connect = (socket: net.Socket) =>
  new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));

const attemptsOn = (port: number): Record<string, Attempt> => ({
  'read another file': () => readFileSync('/etc/passwd'),
  'write a file': () => writeFileSync(`/tmp/sandbox-probe-${process.pid}`, ''),
  'start a process': () => {
    const { error } = spawnSync('true');
    if (error) throw error;
  },
  'start a thread': () => new Worker('', { eval: true }),
  'make code': () => new Function('return 1')(),
  connect: () => connect(net.connect(port, '127.0.0.1')),
  'connect a socket': () => connect(new net.Socket().connect(port, '127.0.0.1')),
  fetch: () => fetch(`http://127.0.0.1:${port}`),
  'send a request': () => new Promise((resolve, reject) => http.get({ port }, resolve).once('error', reject)),
  'send a datagram': () => dgram.createSocket('udp4').send('x', port, '127.0.0.1'),
  listen: () => net.createServer().listen(0),
  'look up a name': () => dns.lookup('localhost'),
  'read the environment': () => {
    if (Object.keys(process.env).length === 0) throw new Error('it is empty');
  },
});

process.once('message', async (port: number) => {
  const done: string[] = [];
  for (const [name, attempt] of Object.entries(attemptsOn(port))) {
    try {
      await attempt();
      done.push(name);
    } catch {
      // As it should be.
    }
  }
  process.send?.(done);
});

import { spawnSync } from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import inspector from 'node:inspector';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import v8 from 'node:v8';
import vm from 'node:vm';
import { WASI } from 'node:wasi';
import { Worker } from 'node:worker_threads';

/* Takes the place of the reader in the process that reads documents, and reports what it was able to do. */

export type Targets = {
  port: number;
  socketPath: string;
  serverPid: number;
  /** Which it may not read, by their own path or through links. */
  files: string[];
};

type Attempt = () => unknown;

// What a library may have kept from before the process dropped its rights.
const kept = { readFileSync, connect: net.connect, kill: process.kill };
const { Resolver } = dns;

const connected = (socket: net.Socket) =>
  new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));

const asked = (ask: (done: (error: Error | null) => void) => void) =>
  new Promise<void>((resolve, reject) => ask((error) => (error ? reject(error) : resolve())));

const sent = (socket: dgram.Socket, port: number) =>
  new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.send('x', port, '127.0.0.1', resolve);
  });

function asking<T extends { setServers(servers: string[]): void }>(resolver: T, port: number): T {
  resolver.setServers([`127.0.0.1:${port}`]);
  return resolver;
}

const attemptsOn = ({ port, socketPath, serverPid, files }: Targets): Record<string, Attempt> => ({
  ...Object.fromEntries(files.map((path) => [`read ${path}`, () => readFileSync(path)])),
  ...Object.fromEntries(files.map((path) => [`read ${path} as kept`, () => kept.readFileSync(path)])),
  'load a package': () => createRequire(import.meta.url)('yauzl'),
  'write a file': () => writeFileSync(`/tmp/sandbox-probe-${process.pid}`, ''),
  'write a report': () => process.report.writeReport('/tmp/sandbox-probe-report'),
  'start a process': () => {
    const { error } = spawnSync('true');
    if (error) throw error;
  },
  'replace itself': () => process.execve?.('/bin/true', ['true'], {}),
  'start a thread': () => new Worker('', { eval: true }),
  'load an add-on': () => createRequire(import.meta.url)('@node-rs/argon2'),
  'use a binding': () => (process as unknown as { binding(name: string): unknown }).binding('tcp_wrap'),
  'open the inspector': () => inspector.open(0),
  'use WASI': () => new WASI({ version: 'preview1' }),
  'make code': () => new Function('return 1')(),
  'make code in a context': () => vm.runInThisContext('1'),
  'set flags': () => v8.setFlagsFromString('--allow-natives-syntax'),
  'get a module': () => process.getBuiltinModule('node:net').connect(port, '127.0.0.1'),
  connect: () => connected(net.connect(port, '127.0.0.1')),
  'connect a socket': () => connected(new net.Socket().connect(port, '127.0.0.1')),
  'connect to a path': () => connected(net.connect(socketPath)),
  fetch: () => fetch(`http://127.0.0.1:${port}`),
  'open a WebSocket': () => new WebSocket(`ws://127.0.0.1:${port}`),
  'send a request': () => new Promise((resolve, reject) => http.get({ port }, resolve).once('error', reject)),
  'send a datagram': () => sent(dgram.createSocket('udp4'), port),
  listen: () => net.createServer().listen(0),
  'look up a name': () => dns.promises.lookup('localhost'),
  'resolve a name': () => asked((done) => dns.resolve4('example.com', done)),
  'use a resolver': () => asked((done) => asking(new Resolver(), port).resolve4('example.com', done)),
  'use the other resolver': () => asking(new dns.promises.Resolver(), port).resolve4('example.com'),
  'signal the server': () => process.kill(serverPid, 0),
  'signal the server as kept': () => kept.kill(serverPid, 0),
  'signal its parent': () => process.kill(process.ppid, 0),
  'raise its priority': () => os.setPriority(0),
  'become root': () => process.setuid?.(0),
  'be root': () => {
    if (process.getuid?.() !== 0) throw new Error('it is not');
  },
  'read the environment': () => {
    if (Object.keys(process.env).length === 0) throw new Error('it is empty');
  },
});

/** Only namespaces keep it from these. */
const attemptsOnKernel = ({ port }: Targets): Record<string, Attempt> => ({
  'connect as kept': () => connected(kept.connect(port, '127.0.0.1')),
});

export const prepare = async () => undefined;

export async function answer(request: Targets & { withKernel: boolean }): Promise<string[]> {
  const attempts = { ...attemptsOn(request), ...(request.withKernel ? attemptsOnKernel(request) : {}) };
  const done: string[] = [];
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      await attempt();
      done.push(name);
    } catch {
      // As it should be.
    }
  }
  return done;
}

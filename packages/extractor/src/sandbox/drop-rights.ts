import { builtinModules, createRequire, syncBuiltinESMExports } from 'node:module';

/** The user and the group 'nobody'. */
const unprivilegedId = 65_534;

/** Modules that only compute. `domain` is among them because loading it would change all events. */
const harmlessModules = new Set([
  '_stream_duplex',
  '_stream_passthrough',
  '_stream_readable',
  '_stream_transform',
  '_stream_writable',
  'assert',
  'assert/strict',
  'async_hooks',
  'buffer',
  'constants',
  'diagnostics_channel',
  'domain',
  'events',
  'path',
  'path/posix',
  'path/win32',
  'perf_hooks',
  'punycode',
  'querystring',
  'stream',
  'stream/consumers',
  'stream/promises',
  'string_decoder',
  'sys',
  'timers',
  'timers/promises',
  'url',
  'util',
  'util/types',
  'zlib',
]);

/** Functions of `process`, except those that answers and the end of the process need. */
const deniedOfProcess = [
  ...['_debugEnd', '_debugProcess', '_kill', '_linkedBinding', 'binding', 'chdir', 'dlopen', 'execve'],
  ...['getBuiltinModule', 'initgroups', 'kill', 'loadEnvFile', 'report', 'setegid', 'seteuid', 'setgid'],
  ...['setgroups', 'setuid', 'umask'],
];

function deny(): never {
  throw new Error('this process reads documents and can do nothing else');
}

function denyAll(owner: object, names: string[]): void {
  for (const name of names) {
    // Constants and the Web Cryptography API are not configurable.
    if (Object.getOwnPropertyDescriptor(owner, name)?.configurable) {
      Object.defineProperty(owner, name, { value: deny });
    }
  }
}

function leaveRoot(): void {
  if (process.getuid?.() !== 0) return;
  process.setgroups?.([]);
  process.setgid?.(unprivilegedId);
  process.setuid?.(unprivilegedId);
}

/**
 * From here on the process only computes. It has loaded all code and data before, as the user who started it, so that
 * they may be in a folder that only this user can enter.
 */
export function dropRights(): void {
  leaveRoot();
  const { env } = process;
  for (const name of Object.keys(env)) delete env[name];
  denyAll(globalThis, ['fetch', 'WebSocket', 'EventSource']);
  // Node's permission model restricts neither the network nor signals yet.
  const require = createRequire(import.meta.url);
  const isHarmful = (name: string) => !harmlessModules.has(name) && name !== 'process';
  // Loads all modules first, because some need functions of others while they load.
  const owners: object[] = builtinModules.filter(isHarmful).map((name) => require(name));
  for (const owner of owners) denyAll(owner, Object.getOwnPropertyNames(owner));
  denyAll(process, deniedOfProcess);
  syncBuiltinESMExports();
  // Some releases of Node 24 lack `drop`.
  const permission: NodeJS.ProcessPermission & { drop?(scope: string): void } = process.permission;
  permission.drop?.('fs.read');
}

import { builtinModules, createRequire, syncBuiltinESMExports } from 'node:module';

/** The user and the group 'nobody'. */
const unprivilegedId = 65_534;

/** They compute, and reach nothing outside of the process. To load `domain` would change all events. */
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

/** Of `process`; what the answers and the end of the process need stays. */
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
    // The others are constants, and the Web Cryptography API.
    if (Object.getOwnPropertyDescriptor(owner, name)?.configurable) {
      Object.defineProperty(owner, name, { value: deny });
    }
  }
}

/** Root may enter every folder and signal every process. */
function leaveRoot(): void {
  if (process.getuid?.() !== 0) return;
  process.setgroups?.([]);
  process.setgid?.(unprivilegedId);
  process.setuid?.(unprivilegedId);
}

/**
 * For the rest of its life the process only computes. All code and data were loaded before, by the user who started
 * it, so that they may be in a folder that only this user can enter.
 */
export function dropRights(): void {
  leaveRoot();
  const { env } = process;
  for (const name of Object.keys(env)) delete env[name];
  denyAll(globalThis, ['fetch', 'WebSocket', 'EventSource']);
  // Node's permission model has no right for the network yet, and denies signals to no process.
  const require = createRequire(import.meta.url);
  const isHarmful = (name: string) => !harmlessModules.has(name) && name !== 'process';
  // All are loaded first: some need functions of others to begin with.
  const owners: object[] = builtinModules.filter(isHarmful).map((name) => require(name));
  for (const owner of owners) denyAll(owner, Object.getOwnPropertyNames(owner));
  denyAll(process, deniedOfProcess);
  syncBuiltinESMExports();
  // Not in all releases of Node 24.
  const permission: NodeJS.ProcessPermission & { drop?(scope: string): void } = process.permission;
  permission.drop?.('fs.read');
}

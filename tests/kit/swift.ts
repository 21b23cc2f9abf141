import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Part } from './debian-package.ts';
import { freePort, untilListening } from './ports.ts';

export type Swift = {
  endpoint: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Stops answering until resumed, with all connections left open. */
  suspend(): void;
  resume(): void;
  stop(): Promise<void>;
};

// The distribution's Python: any other would not see the distribution's packages.
const python = '/usr/bin/python3';
const serverNames = ['account', 'container', 'object', 'proxy'] as const;
/** Few, so that a test of several pages stays short. */
export const listingPageSize = 50;

export const swift: Part = {
  name: 'OpenStack Swift',
  // Contains all four servers; the swift-* packages only add system services.
  package: 'python3-swift',
  isInstalled() {
    const code = 'import importlib.util as u, sys; sys.exit(u.find_spec("swift.proxy.server") is None)';
    return spawnSync(python, ['-c', code], { stdio: 'ignore' }).status === 0;
  },
};

export async function startSwift(): Promise<Swift> {
  const folder = makeFolderWithAttributes();
  const portOf = {
    account: await freePort(),
    container: await freePort(),
    object: await freePort(),
    proxy: await freePort(),
  };
  const secretAccessKey = randomBytes(24).toString('hex');
  mkdirSync(join(folder, 'devices', 'disk'), { recursive: true });
  writeConfiguration(folder, portOf, secretAccessKey);
  execFileSync(python, [
    '-c',
    ringsCode,
    folder,
    ...serverNames.slice(0, 3).map((name) => `${name}:${portOf[name]}`),
  ]);

  const children = serverNames.map((name) => launch(folder, name));
  const killAll = () => {
    for (const child of children) child.kill('SIGKILL');
  };
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const atExit = () => {
    killAll();
    removeFolder();
  };
  process.once('exit', atExit);

  async function stop(): Promise<void> {
    process.off('exit', atExit);
    const ended = children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit'));
    killAll();
    await Promise.all(ended);
    removeFolder();
  }

  try {
    await Promise.all(
      serverNames.map((name, index) => {
        const child = children[index] as ChildProcess;
        const logFile = join(folder, `${name}.log`);
        return untilListening(`Swift's ${name} server`, { port: portOf[name], child, logFile });
      }),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    endpoint: `http://127.0.0.1:${portOf.proxy}`,
    accessKeyId: 'test:tester',
    secretAccessKey,
    suspend: () => children.at(-1)?.kill('SIGSTOP'),
    resume: () => children.at(-1)?.kill('SIGCONT'),
    stop,
  };
}

// The prctl call makes Linux kill Swift when the test run dies.
const launcherCode = `
import ctypes, sys
ctypes.CDLL(None).prctl(1, 9)
from swift.common import utils
utils.set_swift_dir(sys.argv[1])
from swift.common.wsgi import run_wsgi
sys.exit(run_wsgi(sys.argv[2], sys.argv[3], verbose=True))
`;

const ringsCode = `
import sys
from swift.common.ring import RingBuilder
for ring in sys.argv[2:]:
    name, port = ring.split(':')
    builder = RingBuilder(4, 1, 0)
    builder.add_dev(dict(region=1, zone=1, ip='127.0.0.1', port=int(port), device='disk', weight=1))
    builder.rebalance()
    builder.get_ring().save('%s/%s.ring.gz' % (sys.argv[1], name))
`;

function launch(folder: string, name: string): ChildProcess {
  const log = openSync(join(folder, `${name}.log`), 'a');
  const args = ['-c', launcherCode, folder, join(folder, `${name}.conf`), `${name}-server`];
  return spawn(python, args, { stdio: ['ignore', log, log] });
}

function writeConfiguration(
  folder: string,
  portOf: Record<(typeof serverNames)[number], number>,
  secret: string,
): void {
  const common = (name: (typeof serverNames)[number]) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${portOf[name]}
swift_dir = ${folder}
user = ${userInfo().username}
workers = 0
`;
  writeFileSync(join(folder, 'swift.conf'), '[swift-hash]\nswift_hash_path_suffix = tests\n');
  for (const name of serverNames.slice(0, 3)) {
    const configuration = `${common(name)}
devices = ${join(folder, 'devices')}
mount_check = false
fallocate_reserve = 0
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`;
    writeFileSync(join(folder, `${name}.conf`), configuration);
  }
  // tempauth requires a token cache, but signed S3 requests have no token, so no memcached is needed.
  const proxy = `${common('proxy')}
[pipeline:main]
pipeline = cache s3api tempauth bulk slo proxy-server
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
max_bucket_listing = ${listingPageSize}
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${secret} .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
`;
  writeFileSync(join(folder, 'proxy.conf'), proxy);
}

/** Swift keeps metadata in extended attributes, which not every file system supports. */
function makeFolderWithAttributes(): string {
  const parents = [tmpdir(), '/var/tmp'];
  for (const parent of parents) {
    const folder = mkdtempSync(join(parent, 'swift-'));
    const code = 'import os, sys; os.setxattr(sys.argv[1], "user.swift.metadata", b"x" * 3000)';
    if (spawnSync(python, ['-c', code, folder], { stdio: 'ignore' }).status === 0) return folder;
    rmSync(folder, { recursive: true });
  }
  throw new Error(
    `Swift needs a file system with user extended attributes; none under ${parents.join(', ')}`,
  );
}

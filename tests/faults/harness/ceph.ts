import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanUpAtExit } from '@customer-database/testkit/exit-cleanup';
import { freePort } from '@customer-database/testkit/ports';
import { until } from '@customer-database/testkit/until';

export type Ceph = {
  endpoint: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** `kill -9` of the S3 gateway, which is restarted after a second. */
  killGateway(): Promise<void>;
  close(): Promise<void>;
};

const program = fileURLToPath(new URL('../../../deploy/ceph/start.sh', import.meta.url));

/** Ceph as `deploy/ceph/start.sh` runs it, with one bucket. */
export async function startCeph(parent: string, bucket: string): Promise<Ceph> {
  const folder = join(parent, 'ceph-store');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const gateway = `127.0.0.1:${await freePort()}`;
  const accessKeyId = randomBytes(10).toString('hex');
  const secretAccessKey = randomBytes(20).toString('hex');
  const output = `${folder}.log`;
  const log = createWriteStream(output);
  await once(log, 'open');
  // It ends with the test run, even if that is killed.
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', program], {
    cwd: folder,
    env: {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      MONITOR: `127.0.0.1:${await freePort()}`,
      GATEWAY: gateway,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    stdio: ['ignore', log, log],
  });
  log.close();
  const ended = once(child, 'exit');
  const cancelCleanup = cleanUpAtExit(() => child.kill('SIGTERM'));
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`Ceph ended; see ${output}`);
    return (await readFile(output, 'utf8')).includes('Ceph is ready');
  };
  await until('Ceph is ready', isReady, 180_000);

  return {
    endpoint: `http://${gateway}`,
    accessKeyId,
    secretAccessKey,
    async killGateway() {
      process.kill(Number(await readFile(join(folder, 'gateway.pid'), 'utf8')), 'SIGKILL');
    },
    async close() {
      child.kill('SIGTERM');
      await ended;
      cancelCleanup();
    },
  };
}

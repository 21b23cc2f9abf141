import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Part } from './debian-package.ts';
import { freePort, untilListening } from './ports.ts';

export type Clamd = {
  socketUrl: string;
  tcpUrl: string;
  start(): Promise<void>;
  /** Kills it like a crash; the next start listens at the same addresses. */
  kill(): Promise<void>;
  /** Stops answering until resumed, with all connections left open. */
  suspend(): void;
  resume(): void;
  remove(): Promise<void>;
};

const program = '/usr/sbin/clamd';

/** The harmless EICAR test virus. In parts, or scanners would flag this file. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join(
  '',
);
export const signatureName = 'Test.Eicar.UNOFFICIAL';
const signatures = `Test.Eicar:0:*:${Buffer.from(eicar).toString('hex')}\n`;

export const clamd: Part = {
  name: 'clamd',
  package: 'clamav-daemon',
  isInstalled: () => existsSync(program),
};

/** The real clamd with a single signature of ours: no download and no system service. */
export async function startClamd(streamMaxLength = '25M'): Promise<Clamd> {
  const folder = mkdtempSync(join(tmpdir(), 'clamd-'));
  const port = await freePort();
  mkdirSync(join(folder, 'signatures'));
  writeFileSync(join(folder, 'signatures', 'own.ndb'), signatures);
  writeFileSync(
    join(folder, 'clamd.conf'),
    `Foreground yes
DatabaseDirectory ${join(folder, 'signatures')}
TemporaryDirectory ${folder}
LocalSocket ${join(folder, 'clamd.ctl')}
TCPAddr 127.0.0.1
TCPSocket ${port}
StreamMaxLength ${streamMaxLength}
`,
  );
  let child: ChildProcess | undefined;

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async function start(): Promise<void> {
    const logFile = join(folder, 'clamd.log');
    const log = openSync(logFile, 'a');
    // It dies with the test run, even if that is killed.
    const args = ['--pdeathsig', 'KILL', program, '--config-file', join(folder, 'clamd.conf')];
    child = spawn('setpriv', args, { stdio: ['ignore', log, log] });
    await untilListening('clamd', { port, child, logFile });
  }

  await start();
  return {
    socketUrl: `unix://${folder}/clamd.ctl`,
    tcpUrl: `tcp://127.0.0.1:${port}`,
    start,
    kill,
    suspend: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

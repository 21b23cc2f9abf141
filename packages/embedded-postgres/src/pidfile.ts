import { readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { runAs } from './account.ts';

/** PostgreSQL's postmaster.pid. */
export type PidFile = { pid: number; port: number; status: string; text: string };

function pathOf(location: string): string {
  return join(location, 'postmaster.pid');
}

/** Undefined if there is none. During startup the later lines are missing (port NaN, status empty). */
export async function readPidFile(location: string): Promise<PidFile | undefined> {
  const text = await readFile(pathOf(location), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n').map((line) => line.trim());
  return { pid: Number.parseInt(lines[0] ?? '', 10), port: Number(lines[3]), status: lines[7] ?? '', text };
}

/** The PostgreSQL that runs on the cluster, if any. */
export async function findPostmaster(location: string): Promise<PidFile | undefined> {
  const file = await readPidFile(location);
  return file && (await servesCluster(file.pid, location)) ? file : undefined;
}

/** Removes a stale pid file unless it has changed since it was read. */
export async function removePidFile(location: string, stale: PidFile): Promise<void> {
  const current = await readPidFile(location);
  if (current?.text === stale.text) await rm(pathOf(location), { force: true });
}

/** False for a zombie, which has no command line. */
export async function isAlive(pid: number): Promise<boolean> {
  return (await commandLine(pid)) !== '';
}

/** Whether the process is the PostgreSQL of this cluster, and not another process with the same pid. */
export async function servesCluster(pid: number, location: string): Promise<boolean> {
  // The order of our arguments shows where the path ends, as ps does not quote it.
  const [, program = '', folder] = /^(.*?) -D (.*?) -c /.exec(await commandLine(pid)) ?? [];
  return basename(program) === 'postgres' && folder === location;
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return line.replaceAll('\0', ' ').trim();
  }
  const { stdout } = await runAs(undefined, 'ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
  return stdout.trim();
}

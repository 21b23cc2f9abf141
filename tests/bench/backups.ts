import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startProgram } from '@customer-database/testkit/admin';
import { tableOf } from '@customer-database/testkit/figures';
import { megabytesOf } from '@customer-database/testkit/processes';
import { cachedInstallation } from './dataset/cached-installation.ts';
import { recordsOf, type Size } from './dataset/make.ts';
import { addObjects } from './dataset/objects.ts';
import { progress } from './progress.ts';

// Megabytes, independent of the amount of data: 16 MB of rows, four documents, and Node itself.
export const maxMemory = 400;

export type BackupStep = { name: string; seconds: number; memory: number };

/** Runs the real program; records its peak memory. */
export async function measureProgram(
  name: string,
  program: 'backup' | 'restore' | 'admin',
  args: string[],
  env: Record<string, string> = {},
): Promise<BackupStep> {
  const startedAt = performance.now();
  const { child, result } = startProgram(program, args, env);
  let memory = 0;
  const poll = setInterval(async () => {
    const megabytes = await megabytesOf(child.pid, 'VmHWM').catch(() => 0);
    // A process that has ended has none.
    if (megabytes > memory) memory = megabytes;
  }, 100);
  const { code, stderr } = await result;
  clearInterval(poll);
  if (code !== 0) throw new Error(`${name} ended with ${code}\n${stderr}`);
  return { name, seconds: (performance.now() - startedAt) / 1000, memory };
}

/** A backup, a second one without changes, a verification, a restore elsewhere, and the check. */
export async function measureBackups(cacheFolder: string, size: Size): Promise<BackupStep[]> {
  const folder = await cachedInstallation(cacheFolder, recordsOf(size));
  await addObjects(folder);
  const [place, restored] = [join(cacheFolder, 'backups'), join(cacheFolder, 'restored')];
  const clear = async () => {
    for (const made of [place, restored]) await rm(made, { recursive: true, force: true });
  };
  await clear();
  const here = { DATA_DIR: folder };
  const steps: BackupStep[] = [];
  const step = async (...args: Parameters<typeof measureProgram>) => {
    progress(args[0]);
    steps.push(await measureProgram(...args));
  };
  try {
    await step('backup', 'backup', [place], here);
    await step('backup, nothing new', 'backup', [place], here);
    await step('verify both', 'backup', ['verify', place]);
    await step('restore', 'restore', [place], { DATA_DIR: restored });
    await step('check', 'admin', ['check'], { DATA_DIR: restored });
  } finally {
    await clear();
  }
  return steps;
}

export const backupTable = (steps: BackupStep[]) =>
  tableOf(
    ['step', 'time', 'memory at most'],
    steps.map(({ name, seconds, memory }) => [name, `${seconds.toFixed(0)} s`, `${memory.toFixed(0)} MB`]),
  );

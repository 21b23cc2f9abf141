import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedInstallation } from './dataset/cached-installation.ts';
import { recordsOf, type Size } from './dataset/make.ts';
import { addObjects } from './dataset/objects.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

// Megabytes, independent of the amount of data: 16 MB of rows, four documents, and Node itself.
export const maxMemory = 400;

export type BackupStep = { name: string; seconds: number; memory: number; shown: number };

async function peakMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Runs the real program; records its peak memory and how many lines of progress it printed. */
export async function measureProgram(
  name: string,
  program: 'backup' | 'restore' | 'admin',
  args: string[],
  environment: NodeJS.ProcessEnv,
): Promise<BackupStep> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(root, 'server', 'src', 'cli', `${program}.ts`), ...args], {
    env: environment,
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  let memory = 0;
  const poll = setInterval(async () => {
    memory = Math.max(memory, await peakMegabytes(child.pid));
  }, 100);
  const [code] = await once(child, 'close');
  clearInterval(poll);
  if (code !== 0) throw new Error(`${name} ended with ${code}\n${stderr}`);
  const shown = stderr.split('\n').filter(Boolean).length;
  return { name, seconds: (performance.now() - startedAt) / 1000, memory, shown };
}

/** A backup, a second one without changes, a verification, a restore elsewhere, and the check. */
export async function measureBackups(
  cacheFolder: string,
  size: Size,
  environment: NodeJS.ProcessEnv,
  progress: (text: string) => void,
): Promise<BackupStep[]> {
  const folder = await cachedInstallation(cacheFolder, recordsOf(size), progress);
  await addObjects(folder, progress);
  const [place, restored] = [join(cacheFolder, 'backups'), join(cacheFolder, 'restored')];
  const clear = async () => {
    for (const made of [place, restored]) await rm(made, { recursive: true, force: true });
  };
  await clear();
  const here = { ...environment, DATA_DIR: folder };
  const steps: BackupStep[] = [];
  const step = async (...args: Parameters<typeof measureProgram>) => {
    progress(args[0]);
    steps.push(await measureProgram(...args));
  };
  try {
    await step('backup', 'backup', [place], here);
    await step('backup, nothing new', 'backup', [place], here);
    await step('verify both', 'backup', ['verify', place], environment);
    await step('restore', 'restore', [place], { ...environment, DATA_DIR: restored });
    await step('check', 'admin', ['check'], { ...environment, DATA_DIR: restored });
  } finally {
    await clear();
  }
  return steps;
}

export function backupTable(steps: BackupStep[]): string {
  const lines = steps.map(
    ({ name, seconds, memory, shown }) =>
      `| ${name} | ${seconds.toFixed(0)} s | ${memory.toFixed(0)} MB | ${shown} |`,
  );
  return ['| step | time | memory at most | lines of progress |', '|---|---|---|---|', ...lines].join('\n');
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keptInstallation } from './dataset/kept.ts';
import type { Size } from './dataset/make.ts';
import { withObjects } from './dataset/objects.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

// Megabytes. It does not grow with the data: 16 MB of rows, four documents, and what Node takes for itself.
export const mostMemory = 400;

export type BackupStep = { name: string; seconds: number; memory: number; shown: number };

async function peakMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** The real program as `npm run` starts it, with its largest size in memory and how often it showed progress. */
async function measure(
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
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  let memory = 0;
  const watching = setInterval(async () => {
    memory = Math.max(memory, await peakMegabytes(child.pid));
  }, 100);
  const [code] = await once(child, 'close');
  clearInterval(watching);
  if (code !== 0) throw new Error(`${name} ended with ${code}\n${said}`);
  const shown = said.split('\n').filter(Boolean).length;
  return { name, seconds: (performance.now() - startedAt) / 1000, memory, shown };
}

/** A backup, another one of the same, its verification, a restore elsewhere, and the check. */
export async function measureBackups(
  keptIn: string,
  size: Size,
  environment: NodeJS.ProcessEnv,
  progress: (text: string) => void,
): Promise<BackupStep[]> {
  const folder = await keptInstallation(keptIn, size, progress);
  await withObjects(folder, progress);
  const [place, restored] = [join(keptIn, 'backups'), join(keptIn, 'restored')];
  const clear = async () => {
    for (const made of [place, restored]) await rm(made, { recursive: true, force: true });
  };
  await clear();
  const here = { ...environment, DATA_DIR: folder };
  const steps: BackupStep[] = [];
  const step = async (...given: Parameters<typeof measure>) => {
    progress(given[0]);
    steps.push(await measure(...given));
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

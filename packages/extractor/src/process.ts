import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const usualHeapMegabytes = 512;

const reader = join(here, 'sandbox', 'main.ts');
const networkDenial = pathToFileURL(join(here, 'sandbox', 'deny-network.ts')).href;

const { resolve } = createRequire(import.meta.url);
const wordsPackage = dirname(resolve('@customer-database/words/words'));
/** Where npm may have installed packages. */
const packageFolders = resolve.paths('any-package') ?? [];

/**
 * A process that may read its own code and its packages, and do nothing else: no other files, no processes, threads or
 * add-ons, no code made from strings, no network, no environment. It runs when nobody else needs the processor.
 */
export function startSandbox(program = reader, maxHeapMegabytes = usualHeapMegabytes): ChildProcess {
  const child = spawn(
    process.execPath,
    [
      '--permission',
      ...[here, wordsPackage, ...packageFolders].map((folder) => `--allow-fs-read=${folder}`),
      `--import=${networkDenial}`,
      '--disallow-code-generation-from-strings',
      `--max-old-space-size=${maxHeapMegabytes}`,
      '--no-warnings',
      program,
    ],
    { cwd: here, env: {}, serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
  );
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  return child;
}

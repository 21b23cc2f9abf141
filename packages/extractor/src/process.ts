import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isolationPrefix } from './isolation.ts';
import { packageOf } from './ocr-data.ts';
import { foldersOf } from './packages.ts';

const here = dirname(fileURLToPath(import.meta.url));
const sandbox = join(here, 'sandbox');
const wordsPackage = '@customer-database/words';

export type SandboxOptions = {
  /** For OCR; without languages, pictures are not read. */
  languages?: string[];
  maxHeapMegabytes?: number;
  /** Replaces the reader in tests. */
  program?: string;
};

/**
 * A process that loads its code and packages, reports that it has started, and from then on only answers requests: no
 * files, processes, signals, threads, add-ons, network, environment, or code from strings.
 */
export function startSandbox({
  languages = [],
  maxHeapMegabytes = 512,
  program = join(sandbox, 'reader.ts'),
}: SandboxOptions = {}): ChildProcess {
  const readable = foldersOf(dirname(here), [wordsPackage, ...languages.map(packageOf)]);
  const [command = '', ...args] = [
    ...isolationPrefix(),
    process.execPath,
    '--permission',
    ...[...readable, program].map((path) => `--allow-fs-read=${path}`),
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${maxHeapMegabytes}`,
    '--no-warnings',
    join(sandbox, 'start.ts'),
    program,
    ...languages,
  ];
  return spawn(command, args, {
    cwd: '/',
    env: {},
    serialization: 'advanced',
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  });
}

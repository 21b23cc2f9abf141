import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'csv-stringify/sync';
import { person } from './dataset/people.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export type ImportSpeed = { rows: number; seconds: number; rowsPerSecond: number };

async function admin(dataFolder: string, environment: NodeJS.ProcessEnv, args: string[]): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'scripts', 'launch.js'), 'admin', ...args], {
    env: { ...environment, DATA_DIR: dataFolder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`npm run admin -- ${args.join(' ')} ended with ${code}\n${output}`);
  return output;
}

/** As somebody would who moves in: a file of so many customers into an installation that is new. */
async function importOnce(rows: number, environment: NodeJS.ProcessEnv): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
  // PostgreSQL must not run as root, and its own user has to be let in.
  await chmod(folder, 0o755);
  const people = Array.from({ length: rows }, (_, index) => {
    const { language: _language, ...fields } = person(index);
    return fields;
  });
  const file = join(folder, 'customers.csv');
  await writeFile(file, stringify(people, { header: true }));
  await admin(folder, environment, ['list-users']);
  const output = await admin(folder, environment, ['import-customers', file]);
  const seconds = Number(/in ([\d.]+) s/.exec(output)?.[1]);
  if (Number.isNaN(seconds)) throw new Error(`The import does not say how long it took: ${output}`);
  await rm(folder, { recursive: true, force: true });
  return seconds;
}

/** The middle one of some attempts. */
export async function measureImport(
  rows: number,
  attempts: number,
  environment: NodeJS.ProcessEnv,
): Promise<ImportSpeed> {
  const taken: number[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) taken.push(await importOnce(rows, environment));
  const seconds = taken.sort((one, other) => one - other)[Math.floor(attempts / 2)] ?? Number.NaN;
  return { rows, seconds, rowsPerSecond: rows / seconds };
}

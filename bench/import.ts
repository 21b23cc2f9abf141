import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { stringify } from 'csv-stringify/sync';
import { from as copyFrom } from 'pg-copy-streams';
import { readConfig } from '../server/src/core/config.ts';
import { createLog } from '../server/src/core/log.ts';
import { openDeps } from '../server/src/start/open-deps.ts';
import { person } from './dataset/people.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export type ImportSpeed = {
  rows: number;
  seconds: number;
  rowsPerSecond: number;
  /** Of the rows a second of a plain COPY. */
  ratio: number;
};

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

type NewInstallation = { folder: string; file: string };

/** With a file of so many customers beside it, as a company has that moves in. */
async function withNewInstallation(
  rows: number,
  environment: NodeJS.ProcessEnv,
  work: (made: NewInstallation) => Promise<number>,
): Promise<number> {
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
  const seconds = await work({ folder, file });
  await rm(folder, { recursive: true, force: true });
  return seconds;
}

const importOnce = (rows: number, environment: NodeJS.ProcessEnv) =>
  withNewInstallation(rows, environment, async ({ folder, file }) => {
    const output = await admin(folder, environment, ['import-customers', file]);
    const seconds = Number(/in ([\d.]+) s/.exec(output)?.[1]);
    if (Number.isNaN(seconds)) throw new Error(`The import does not say how long it took: ${output}`);
    return seconds;
  });

/** The same file into the same table with the same indexes, by the database alone. */
const copyOnce = (rows: number, environment: NodeJS.ProcessEnv) =>
  withNewInstallation(rows, environment, async ({ folder, file }) => {
    const config = readConfig({ ...environment, DATA_DIR: folder });
    const { deps, close } = await openDeps(config, createLog('error'), { asTool: true });
    const client = await deps.pool.connect();
    const [columns = ''] = (await readFile(file, 'utf8')).split('\n', 1);
    await client.query(
      'alter table customers alter created_at set default now(), alter updated_at set default now()',
    );
    const began = performance.now();
    const copy = client.query(copyFrom(`copy customers (${columns}) from stdin (format csv, header)`));
    await pipeline(createReadStream(file), copy);
    const seconds = (performance.now() - began) / 1000;
    client.release();
    await close();
    return seconds;
  });

/** The middle one of some attempts, each beside a plain COPY. */
export async function measureImport(
  rows: number,
  attempts: number,
  environment: NodeJS.ProcessEnv,
): Promise<ImportSpeed> {
  const taken: { seconds: number; ratio: number }[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const seconds = await importOnce(rows, environment);
    taken.push({ seconds, ratio: (await copyOnce(rows, environment)) / seconds });
  }
  taken.sort((one, other) => one.ratio - other.ratio);
  const { seconds, ratio } = taken[Math.floor(attempts / 2)] ?? { seconds: Number.NaN, ratio: Number.NaN };
  return { rows, seconds, rowsPerSecond: rows / seconds, ratio };
}

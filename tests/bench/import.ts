import { createReadStream } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { startProgram } from '@customer-database/testkit/admin';
import { stringify } from 'csv-stringify/sync';
import { from as copyFrom } from 'pg-copy-streams';
import { person } from './dataset/people.ts';
import { openTool } from './processes.ts';

export type ImportSpeed = {
  rows: number;
  seconds: number;
  rowsPerSecond: number;
  /** Share of the rows per second of a plain COPY. */
  ratio: number;
};

async function runAdmin(folder: string, args: string[]): Promise<string> {
  const { code, output } = await startProgram('admin', args, { DATA_DIR: folder }).result;
  if (code !== 0) throw new Error(`npm run admin -- ${args.join(' ')} ended with ${code}\n${output}`);
  return output;
}

type NewInstallation = { folder: string; file: string };

/** An empty installation with a CSV file of this many customers. */
async function withNewInstallation(
  rows: number,
  work: (made: NewInstallation) => Promise<number>,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
  // PostgreSQL does not run as root, and its own user needs access.
  await chmod(folder, 0o755);
  const people = Array.from({ length: rows }, (_, index) => {
    const { language: _language, ...fields } = person(index);
    return fields;
  });
  const file = join(folder, 'customers.csv');
  await writeFile(file, stringify(people, { header: true }));
  await runAdmin(folder, ['list-users']);
  const seconds = await work({ folder, file });
  await rm(folder, { recursive: true, force: true });
  return seconds;
}

const importOnce = (rows: number) =>
  withNewInstallation(rows, async ({ folder, file }) => {
    const output = await runAdmin(folder, ['import-customers', file]);
    const seconds = Number(/in ([\d.]+) s/.exec(output)?.[1]);
    if (Number.isNaN(seconds)) throw new Error(`The import does not say how long it took: ${output}`);
    return seconds;
  });

/** Loads the same file into the same table and indexes with a plain COPY. */
const copyOnce = (rows: number) =>
  withNewInstallation(rows, async ({ folder, file }) => {
    const { deps, close } = await openTool(folder);
    const client = await deps.pool.connect();
    const [columns = ''] = (await readFile(file, 'utf8')).split('\n', 1);
    await client.query(
      'alter table customers alter created_at set default now(), alter updated_at set default now()',
    );
    await client.query('set statement_timeout = 0');
    const began = performance.now();
    const copy = client.query(copyFrom(`copy customers (${columns}) from stdin (format csv, header)`));
    await pipeline(createReadStream(file), copy);
    const seconds = (performance.now() - began) / 1000;
    client.release();
    await close();
    return seconds;
  });

/** The median of some attempts, each next to a plain COPY. */
export async function measureImport(rows: number, attempts: number): Promise<ImportSpeed> {
  const results: { seconds: number; ratio: number }[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const seconds = await importOnce(rows);
    results.push({ seconds, ratio: (await copyOnce(rows)) / seconds });
  }
  results.sort((one, other) => one.ratio - other.ratio);
  const { seconds, ratio } = results[Math.floor(attempts / 2)] ?? { seconds: Number.NaN, ratio: Number.NaN };
  return { rows, seconds, rowsPerSecond: rows / seconds, ratio };
}

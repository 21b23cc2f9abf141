import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { installParts } from '@customer-database/testkit/debian-parts';
import { machine } from '@customer-database/testkit/figures';
import { secondsSince } from '@customer-database/testkit/until';
import { seededRandom } from '../../server/src/demo/random.ts';
import { MissingError, type Scenario } from './harness/findings.ts';
import { requireParts } from './harness/parts.ts';
import { type Options, readOptions, UsageError } from './options.ts';
import {
  failuresOf,
  faultTable,
  leftOutLines,
  outcomeLine,
  type ScenarioResult,
  writeDocs,
} from './report.ts';
import { chooseScenarios, scenarios } from './scenarios.ts';

const began = performance.now();

function progress(text: string): void {
  console.error(`${secondsSince(began).toFixed(0).padStart(4)} s  ${text}`);
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'faults-'));
  // PostgreSQL does not run as root, and its own user needs access.
  await chmod(folder, 0o755);
  return folder;
}

async function runOne(
  { name, ownParts = [], run }: Scenario,
  options: Options,
  folder: string,
): Promise<ScenarioResult> {
  const startedAt = performance.now();
  progress(name);
  try {
    requireParts(...ownParts);
    const faults = await run({
      isShort: options.isShort,
      times: (full, short) => options.times ?? (options.isShort ? short : full),
      random: (purpose) => seededRandom(`${options.seed}/${name}/${purpose}`),
      folder,
      progress: (text) => progress(`${name}: ${text}`),
    });
    return { name, faults, seconds: secondsSince(startedAt) };
  } catch (error) {
    const why = error instanceof MissingError ? { leftOut: error.message } : { crash: inspect(error) };
    return { name, faults: [], ...why, seconds: secondsSince(startedAt) };
  }
}

/** Three at a time in the short form: scenarios mostly wait. */
async function runAll(chosen: Scenario[], options: Options, folder: string): Promise<ScenarioResult[]> {
  const results = new Map<string, ScenarioResult>();
  const queue = [...chosen];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      results.set(next.name, await runOne(next, options, folder));
    }
  };
  await Promise.all(Array.from({ length: options.isShort ? 3 : 1 }, worker));
  return chosen.flatMap(({ name }) => results.get(name) ?? []);
}

async function main(): Promise<void> {
  const options = readOptions(
    process.argv.slice(2),
    scenarios.map(({ name }) => name),
  );
  const chosen = chooseScenarios(options);
  installParts(options.only ? chosen.flatMap(({ ownParts = [] }) => ownParts) : []);
  const folder = await makeFolder();
  progress(`seed ${options.seed}`);
  const results = await runAll(chosen, options, folder);
  for (const result of results) console.log(outcomeLine(result));
  console.log(`\n${machine()}, seed ${options.seed}\n\n${faultTable(results)}\n`);

  const leftOut = leftOutLines(results);
  const failures = failuresOf(results);
  for (const line of [...leftOut, ...failures]) console.log(line);
  // A short run on a developer's machine may lack something; a full run without it would prove nothing. Packages of a
  // scenario's own are required only where --only names it.
  const mustBeComplete = !options.isShort || process.env.CI === 'true';
  const required = chosen.filter(({ ownParts }) => options.only || !ownParts).map(({ name }) => name);
  const isIncomplete =
    mustBeComplete && results.some(({ name, leftOut }) => leftOut && required.includes(name));
  if (failures.length > 0)
    console.log(`The data is in ${folder}; the same points again with --seed ${options.seed}`);
  else await rm(folder, { recursive: true, force: true });
  // A scenario that crashed has left its load and its servers running.
  if (failures.length > 0 || isIncomplete) process.exit(1);
  console.log('Nothing that was acknowledged was lost, and every bound was kept.');
  const isComplete = !options.isShort && !options.only && !options.times;
  if (isComplete) await writeDocs(results, options.seed);
}

main().catch((error: unknown) => {
  console.error(error instanceof UsageError ? error.message : error);
  process.exit(1);
});

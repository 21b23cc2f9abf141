import { machine } from '@customer-database/testkit/figures';
import { backupTable, maxMemory, measureBackups } from './backups.ts';
import { missedBounds, type Result, scannedTables } from './bounds.ts';
import { measureImport } from './import.ts';
import { type Installation, openInstallation } from './installation.ts';
import { measureCase, measureServer, warmUp } from './measure.ts';
import { type Options, readOptions, UsageError } from './options.ts';
import { type CasePlan, changedPlans, keepPlans, planOf } from './plans.ts';
import { type Driver, startDriver } from './processes.ts';
import { progress } from './progress.ts';
import { caseTable, otherFigures, screenTable, writeDocs } from './report.ts';
import { type ScreenTimes, timeScreens } from './screens.ts';
import { measureStorm } from './storms.ts';

/** Explains each case; plans of all cases at the small size are compared with those in the repository. */
async function checkPlans(
  { cases, statements, pool }: Installation,
  { isSmall, only, writePlans }: Options,
): Promise<Result['scans']> {
  const plans: CasePlan[] = [];
  const client = await pool.connect();
  for (const { name } of cases) plans.push(await planOf(client, name, statements.get(name) ?? []));
  client.release();
  if (isSmall && only === undefined) {
    if (writePlans) await keepPlans(plans);
    const changed = await changedPlans(plans);
    if (changed.length > 0) {
      throw new Error(
        `Plans differ from those in plans.txt; look at them and keep the new ones with --write-plans:\n\n${changed.join('\n\n')}`,
      );
    }
  }
  return plans
    .filter(({ scannedTables }) => scannedTables.length > 0)
    .map(({ name, scannedTables }) => ({ name, tables: scannedTables }));
}

async function measureStorms(
  driver: Driver,
  full: Installation,
  { isSmall }: Options,
): Promise<Result['storms']> {
  const storms: Result['storms'] = [];
  const effort = isSmall ? { seconds: 1, rounds: 1 } : { seconds: 8, rounds: 3 };
  const connections = isSmall ? 4 : 20;
  for (const name of ['upload 10 MB', 'sign-in']) {
    const heavy = full.cases.find((benchCase) => benchCase.name === name);
    if (!heavy) continue;
    progress(`${connections} × ${name} at once`);
    storms.push(await measureStorm(driver, full, heavy, connections, effort));
  }
  return storms;
}

async function measureScreens(
  { server, email, facts }: Installation,
  { isSmall, only }: Options,
): Promise<ScreenTimes> {
  if (isSmall || !(only === undefined || 'screens'.includes(only))) return new Map();
  progress('every screen in a browser');
  return timeScreens(server.url, email, facts);
}

async function measureAll(options: Options): Promise<Result> {
  const { only, effort } = options;
  await using cleanup = new AsyncDisposableStack();
  const driver = cleanup.adopt(startDriver(), (running) => running.stop());
  const result: Result = {
    measured: [],
    before: new Map(),
    storms: [],
    screens: { before: new Map(), now: new Map() },
    imported: undefined,
    scans: [],
  };

  // First, while the machine is idle.
  if (!only || 'import'.includes(only)) {
    progress('import');
    result.imported = await (options.isSmall ? measureImport(12_000, 1) : measureImport(100_000, 3));
  }

  if (!options.isSmall) {
    await using ended = new AsyncDisposableStack();
    const small = await openInstallation(options.smallSize, options, ended);
    result.screens.before = await measureScreens(small, options);
    await warmUp(driver, small, small.cases);
    for (const benchCase of small.cases) {
      progress(benchCase.name);
      result.before.set(benchCase.name, await measureServer(driver, small, benchCase, effort));
    }
  }

  const full = await openInstallation(options.size, options, cleanup);
  result.scans = await checkPlans(full, options);
  result.screens.now = await measureScreens(full, options);
  if (!options.isSmall) await warmUp(driver, full, full.cases);
  for (const benchCase of full.cases) {
    const measured = await measureCase(driver, full, benchCase, effort);
    progress(`${benchCase.name}: ${measured.ratio.toFixed(2)} of the baseline`);
    result.measured.push(measured);
  }
  result.storms = await measureStorms(driver, full, options);
  return result;
}

async function runBackups({ folder, size }: Options): Promise<void> {
  const steps = await measureBackups(folder, size);
  console.log(`\n${machine()}\n\n${backupTable(steps)}`);
  for (const { name, memory } of steps) {
    if (memory <= maxMemory) continue;
    console.log(`Missed: ${name} took ${memory.toFixed(0)} MB of memory, more than ${maxMemory}`);
    process.exitCode = 1;
  }
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.backups) return runBackups(options);
  const result = await measureAll(options);
  console.log(
    `\n${machine()}\n\n${caseTable(result)}\n\n${screenTable(result)}\n\n${otherFigures(result).join('\n')}`,
  );
  if (!options.isSmall && !options.only) await writeDocs(result);
  const missed = options.isSmall ? scannedTables(result) : missedBounds(result);
  for (const line of missed) console.log(`Missed: ${line}`);
  if (missed.length > 0 && (options.check || options.isSmall)) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
});

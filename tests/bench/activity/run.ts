import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findRunningEmbedded } from '@customer-database/embedded-postgres/start';
import { readConfig } from '../../../server/src/core/config.ts';
import { createLog } from '../../../server/src/core/log.ts';
import { openDeps } from '../../../server/src/start/open-deps.ts';
import { measureProgram } from '../backups.ts';
import { cachedInstallation } from '../dataset/cached-installation.ts';
import { makeRecords } from '../dataset/make.ts';
import { measureCase, once, warmUp } from '../measure.ts';
import { signInColleagues } from '../people.ts';
import { startDriver, startFloor, startServer } from '../processes.ts';
import { progress } from '../progress.ts';
import { activityCases, linkCase } from './cases.ts';
import { measureExports } from './exports.ts';
import { figuresText, writeFigures } from './report.ts';
import { fillLog } from './rows.ts';
import { measureBeside, timeSealing, timeSigning } from './sealing.ts';

// npm run bench:activity -- [--small] [--folder FOLDER]
const { values } = parseArgs({
  options: {
    /** Whether it works, not how fast. */
    small: { type: 'boolean', default: false },
    folder: { type: 'string', default: fileURLToPath(new URL('../../../data-bench', import.meta.url)) },
  },
});
const rows = values.small ? 5_000 : 1_000_000;
const effort = values.small ? once : { seconds: 3, rounds: 3 };

const data = { customers: 2_000, documents: 4_000 };
const folder = await cachedInstallation(
  values.folder,
  { name: `activity-${rows}-v1`, make: (client) => makeRecords(client, data, progress) },
  progress,
);
const environment = { ...process.env, DATA_DIR: folder };
const open = () => openDeps(readConfig(environment), createLog('error'), { asTool: true });

/** Before the server runs, which seals, too. */
async function fillAndSeal() {
  await using cleanup = new AsyncDisposableStack();
  const { deps } = cleanup.adopt(await open(), (tool) => tool.close());
  progress(`${rows.toLocaleString('en')} rows`);
  const [rare, absent, ...frequent] = await signInColleagues(deps, 52);
  if (!rare || !absent) throw new Error('nobody is signed in');
  await fillLog(deps, rows, [rare, ...frequent]);
  progress('sealing');
  const seconds = await timeSealing(deps);
  const { rows: sizes } = await deps.pool.query<Record<'table' | 'indexes' | 'seals', number>>(
    `select pg_table_size('activity')::float8 / 1e6 as table, pg_indexes_size('activity')::float8 / 1e6 as indexes,
       pg_total_relation_size('activity_seals')::float8 / 1e6 as seals`,
  );
  const megabytes = sizes[0] ?? { table: 0, indexes: 0, seals: 0 };
  return { seconds, megabytes };
}

const sealing = await fillAndSeal();
progress('verification');
const verification = await measureProgram('verify', 'admin', ['verify-activity'], environment);

await using cleanup = new AsyncDisposableStack();
progress('starting the server');
const server = cleanup.adopt(await startServer(folder, process.env), (running) => running.stop());
const { deps } = cleanup.adopt(await open(), (tool) => tool.close());
const databaseUrl = (await findRunningEmbedded(folder)) ?? '';
const floor = cleanup.adopt(
  await startFloor({ databaseUrl, poolSize: 10, documentsFolder: join(folder, 'objects') }),
  (running) => running.stop(),
);
const driver = cleanup.adopt(startDriver(), (running) => running.stop());

const [rare, absent, reader] = await signInColleagues(deps, 52);
if (!rare || !absent || !reader) throw new Error('nobody is signed in');
const people = { rare, absent, reader };
const cases = activityCases(people);
if (!values.small) await warmUp(driver, { server, floor, cases });
const measured = [];
for (const benchCase of cases) {
  progress(benchCase.name);
  measured.push(await measureCase(driver, { server, floor }, benchCase, effort));
}
progress('exports');
const exports = await measureExports(server, deps.pool, reader);
progress('requests while rows are sealed');
const beside = await measureBeside(driver, server, deps, linkCase(people), effort);
const signing = timeSigning(deps, values.small ? 1_000 : 200_000);

const figures = { rows, measured, exports, sealing, verification, signing, beside };
const text = figuresText(figures, new Date().toISOString().slice(0, 10));
console.log(text);
if (!values.small) await writeFigures(text);

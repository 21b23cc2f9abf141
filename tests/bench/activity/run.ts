import { replaceFigures, today } from '@customer-database/testkit/figures';
import { measureProgram } from '../backups.ts';
import { cachedInstallation } from '../dataset/cached-installation.ts';
import { makeRecords } from '../dataset/make.ts';
import { measureCase, once, warmUp } from '../measure.ts';
import { readShortOptions } from '../options.ts';
import { signInColleagues } from '../people.ts';
import { openTool, startDriver, startRivals } from '../processes.ts';
import { progress } from '../progress.ts';
import { activityCases } from './cases.ts';
import { measureExports } from './exports.ts';
import { figuresText } from './report.ts';
import { fillLog } from './rows.ts';
import { measureSealing } from './sealing.ts';

// npm run bench:activity -- [--small] [--folder FOLDER]
const { isSmall, folder: cacheFolder } = readShortOptions();
const rows = isSmall ? 5_000 : 1_000_000;
const effort = isSmall ? once : { seconds: 3, rounds: 3 };

const data = { customers: 2_000, documents: 4_000 };
const folder = await cachedInstallation(cacheFolder, {
  name: `activity-${rows}-v1`,
  make: (client) => makeRecords(client, data),
});

/** Runs before the server does, which also seals. */
async function fillAndSeal() {
  await using cleanup = new AsyncDisposableStack();
  const { deps } = cleanup.adopt(await openTool(folder), (tool) => tool.close());
  progress(`${rows.toLocaleString('en')} rows`);
  const [rare, absent, ...frequent] = await signInColleagues(deps, 52);
  if (!rare || !absent) throw new Error('There are no colleagues');
  await fillLog(deps, rows, [rare, ...frequent]);
  progress('sealing');
  return await measureSealing(deps);
}

const sealing = await fillAndSeal();
progress('verification');
const verification = await measureProgram('verify', 'admin', ['verify-activity'], { DATA_DIR: folder });

await using cleanup = new AsyncDisposableStack();
const rivals = await startRivals(folder, cleanup);
const { server, deps } = rivals;
const driver = cleanup.adopt(startDriver(), (running) => running.stop());

const [rare, absent, reader] = await signInColleagues(deps, 52);
if (!rare || !absent || !reader) throw new Error('There are no colleagues');
const cases = activityCases({ rare, absent, reader });
if (!isSmall) await warmUp(driver, rivals, cases);
const measured = [];
for (const benchCase of cases) {
  progress(benchCase.name);
  measured.push(await measureCase(driver, rivals, benchCase, effort));
}
progress('exports');
const exports = await measureExports(server, deps.pool, reader);

const text = figuresText({ rows, measured, exports, sealing, verification }, today());
console.log(text);
if (!isSmall) await replaceFigures('PERFORMANCE.md', text, 'activity');

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findRunningEmbedded } from '@customer-database/embedded-postgres/start';
import type pg from 'pg';
import { readConfig } from '../../../server/src/core/config.ts';
import { createLog } from '../../../server/src/core/log.ts';
import { openDeps } from '../../../server/src/start/open-deps.ts';
import type { Case } from '../cases.ts';
import { cachedInstallation } from '../dataset/cached-installation.ts';
import { measureCase, measureServer, once, warmUp } from '../measure.ts';
import { signInColleagues } from '../people.ts';
import { startDriver, startFloor, startServer } from '../processes.ts';
import { progress } from '../progress.ts';
import { measureBacklog } from './backlog.ts';
import { pagesOf, pagesPerDocument } from './pages.ts';
import { searchCases } from './questions.ts';
import { type Everywhere, figuresText, writeFigures } from './report.ts';

// npm run bench:search -- [--small] [--folder FOLDER]
const { values } = parseArgs({
  options: {
    /** Whether it works, not how fast. */
    small: { type: 'boolean', default: false },
    folder: { type: 'string', default: fileURLToPath(new URL('../../../data-bench', import.meta.url)) },
  },
});
const size = values.small ? { customers: 100, documents: 300 } : { customers: 50_000, documents: 100_000 };
const effort = values.small ? once : { times: 2, rounds: 3 };

/** The server collects the words of new records in the background. */
async function untilCollected(pool: pg.Pool): Promise<void> {
  const left = `select from collected_words
    where customer_id < (select max(id) from customers) or document_id < (select max(id) from documents)`;
  while ((await pool.query(left)).rowCount) await delay(500);
}

/** The same question about customers, documents and pages at once. */
const everywhereOf = (benchCase: Case): Case => ({
  ...benchCase,
  requests: benchCase.requests.map((request) => ({ ...request, path: request.path.replace('&in=text', '') })),
});

const folder = await cachedInstallation(values.folder, pagesOf(size), progress);
await using cleanup = new AsyncDisposableStack();
progress('starting the server');
const server = cleanup.adopt(await startServer(folder, process.env), (running) => running.stop());
const config = readConfig({ ...process.env, DATA_DIR: folder });
const { deps } = cleanup.adopt(await openDeps(config, createLog('error'), { asTool: true }), (tool) =>
  tool.close(),
);
const { pool } = deps;
cleanup.defer(async () => {
  await pool.query(`delete from documents where storage_key not like 'bench/%'`);
  await pool.query('delete from sessions');
  await rm(join(folder, 'objects', 'documents'), { recursive: true, force: true });
});
const databaseUrl = (await findRunningEmbedded(folder)) ?? '';
const floor = cleanup.adopt(
  await startFloor({ databaseUrl, poolSize: 10, documentsFolder: join(folder, 'objects') }),
  (running) => running.stop(),
);
const driver = cleanup.adopt(startDriver(), (running) => running.stop());

progress('choosing what to ask for');
const [{ token } = { token: '' }] = await signInColleagues(deps, 1);
const pages = size.documents * pagesPerDocument;
const cases = await searchCases(pool, { documents: size.documents, pages, token });
if (!values.small) {
  await untilCollected(pool);
  await warmUp(driver, { server, floor, cases });
}

const measured = [];
const everywhere: Everywhere[] = [];
for (const benchCase of cases) {
  progress(benchCase.name);
  measured.push(await measureCase(driver, { server, floor }, benchCase, effort));
  const figures = await measureServer(driver, { server }, everywhereOf(benchCase), effort);
  everywhere.push({ name: benchCase.name, figures });
}

const backlog = await measureBacklog(driver, {
  server,
  token,
  reads: cases.slice(0, 2).flatMap(({ requests }) => requests),
  ...(values.small ? { scans: 2, seconds: 1 } : { scans: 1_200, seconds: 30 }),
  progress,
});
const text = figuresText({ measured, everywhere, backlog }, new Date().toISOString().slice(0, 10));
console.log(text);
if (!values.small) await writeFigures(text);

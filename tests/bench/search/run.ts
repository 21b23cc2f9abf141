import { setTimeout as delay } from 'node:timers/promises';
import { replaceFigures, today } from '@customer-database/testkit/figures';
import type pg from 'pg';
import type { Case } from '../cases.ts';
import { cachedInstallation } from '../dataset/cached-installation.ts';
import { removeTraces } from '../installation.ts';
import { measureCase, measureServer, once, warmUp } from '../measure.ts';
import { readShortOptions } from '../options.ts';
import { signInColleagues } from '../people.ts';
import { startDriver, startRivals } from '../processes.ts';
import { progress } from '../progress.ts';
import { measureBacklog } from './backlog.ts';
import { pagesOf, pagesPerDocument } from './pages.ts';
import { searchCases } from './questions.ts';
import { type Answers, figuresText } from './report.ts';

const fullSize = 100_000;

/** Where in SEARCH.md the figures of a size go; those of other sizes are only printed. */
const markers = new Map([
  [fullSize, 'speed'],
  [2_000_000, 'speed of two million'],
]);

// npm run bench:search -- [--small] [--documents N] [--folder FOLDER]
const { isSmall, folder: cacheFolder, documents = isSmall ? 300 : fullSize } = readShortOptions();
const size = { customers: Math.min(documents / 2, 200_000), documents };
const effort = isSmall ? once : { times: 2, rounds: 3 };

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

const folder = await cachedInstallation(cacheFolder, pagesOf(size));
await using cleanup = new AsyncDisposableStack();
const rivals = await startRivals(folder, cleanup);
const { server, deps } = rivals;
const { pool } = deps;
cleanup.defer(() => removeTraces(pool, folder));
const driver = cleanup.adopt(startDriver(), (running) => running.stop());

progress('choosing what to ask for');
const [{ token } = { token: '' }] = await signInColleagues(deps, 1);
const pages = size.documents * pagesPerDocument;
const cases = await searchCases(pool, { documents: size.documents, pages, token });
if (!isSmall) {
  await untilCollected(pool);
  await warmUp(driver, rivals, cases);
}

const isLarge = documents > fullSize;
const answers: Answers[] = [];
for (const benchCase of cases) {
  progress(benchCase.name);
  // Of six million pages, the baseline does not look through the phrases within a minute.
  const compared = isLarge ? undefined : await measureCase(driver, rivals, benchCase, effort);
  const inside = compared?.server ?? (await measureServer(driver, { server }, benchCase, effort));
  const everywhere = await measureServer(driver, { server }, everywhereOf(benchCase), effort);
  answers.push({ name: benchCase.name, inside, everywhere, compared });
}

const backlog = isLarge
  ? undefined
  : await measureBacklog(driver, {
      server,
      token,
      reads: cases.slice(0, 2).flatMap(({ requests }) => requests),
      ...(isSmall ? { scans: 2, seconds: 1 } : { scans: 1_200, seconds: 30 }),
    });
const text = figuresText({ answers, backlog }, today());
console.log(text);
const marker = markers.get(documents);
if (marker) await replaceFigures('SEARCH.md', text, marker);

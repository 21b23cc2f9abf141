import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@customer-database/testkit/until';
import { wholeNumber } from '../../../server/src/demo/random.ts';
import { createFindings, type Fault, type Scenario } from '../harness/findings.ts';
import { openInstallation } from '../harness/installation.ts';
import { countsText } from '../harness/ledger.ts';
import { finishJobs } from '../harness/leftovers.ts';
import { createLoad, openLedger } from '../harness/load.ts';
import { untilStorageWorks } from '../harness/outage.ts';
import { mountSmallDisk } from '../harness/small-disk.ts';
import { uploadOrThrow } from '../harness/uploads.ts';
import { verify } from '../harness/verify.ts';

const megabytes = 500;
const fullMs = 4_000;

/** One disk for database, documents and log runs full. */
export const wholeDisk: Scenario = {
  name: 'whole-disk',
  async run({ times, random, folder, progress }): Promise<Fault[]> {
    const findings = createFindings();
    const mounted = join(folder, 'whole-disk');
    const disk = mountSmallDisk(mounted, megabytes);
    const installation = await openInstallation(mounted, 'data');
    const { server } = installation;
    const ledger = await openLedger(installation);
    await uploadOrThrow(ledger, installation.admin, ledger.customers[0]?.id ?? 0, 100_000);
    const points = random('points');
    const load = createLoad({ installation, ledger, random: random('load'), findings });
    const rounds = times(8, 1);
    const recoveries: number[] = [];

    for (let round = 1; round <= rounds; round += 1) {
      load.start();
      const refusals = load.answers.count(503);
      await delay(wholeNumber(100, 1_000, points));
      await disk.fill(wholeNumber(0, 3_000_000, points));
      await delay(fullMs);
      // Most files are small and some are deleted: on a slow machine it can take longer until one does not fit.
      const isFull = async () => load.answers.count(503) > refusals;
      await until('a request is answered 503 on a full disk', isFull, 60_000);
      await load.stop();
      findings.expect(!server.hasExited(), 'the server ended on a full disk');
      await disk.empty();
      const document = ledger.documents.findLast(({ state }) => state === 'kept');
      if (!document) throw new Error('The load has deleted all documents');
      recoveries.push(await untilStorageWorks(installation, ledger, document));
      await verify(installation, ledger, findings, round === rounds ? 'all' : 'new');
      progress(`disk full ${round} of ${rounds}: ${load.answers.text()}`);
      await finishJobs(installation, findings);
    }
    await installation.close();
    disk.unmount();
    return [
      {
        what: 'the whole disk is full: database, documents and log',
        times: rounds,
        checked: countsText(ledger),
        recoveries,
        seen: `${load.answers.count(503)} requests got 503; the server and PostgreSQL kept running`,
        findings,
      },
    ];
  },
};

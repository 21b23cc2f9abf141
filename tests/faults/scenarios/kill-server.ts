import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@customer-database/testkit/until';
import { wholeNumber } from '../../../server/src/demo/random.ts';
import { createFindings, type Fault, type Scenario } from '../harness/findings.ts';
import { openInstallation } from '../harness/installation.ts';
import { countsText } from '../harness/ledger.ts';
import { finishJobs, sweepADayLater } from '../harness/leftovers.ts';
import { createLoad, openLedger } from '../harness/load.ts';
import { killPostgres } from '../harness/postgres.ts';
import { verify } from '../harness/verify.ts';

/** `kill -9` at any point of uploads, edits, deletions and sign-ins; every second time PostgreSQL dies too. */
export const killServer: Scenario = {
  name: 'kill-server',
  async run({ times, random, folder, progress }): Promise<Fault[]> {
    const findings = createFindings();
    const installation = await openInstallation(folder, 'kill-server');
    const { server } = installation;
    const ledger = await openLedger(installation);
    const kills = times(100, 3);
    const points = random('points');
    const load = createLoad({ installation, ledger, random: random('load'), findings });
    const recoveries: number[] = [];
    let savedUnanswered = 0;
    let withPostgres = 0;

    for (let kill = 1; kill <= kills; kill += 1) {
      load.start();
      const after = wholeNumber(0, 1_200, points);
      const both = kill % 2 === 0;
      const { uploads } = ledger.counts;
      await until('an upload is acknowledged', async () => ledger.counts.uploads > uploads, 60_000);
      await delay(after);
      const postgresEnds = both ? killPostgres(installation.folder) : undefined;
      await server.kill();
      await postgresEnds;
      await load.stop();
      if (both) withPostgres += 1;
      recoveries.push(await server.start());
      const found = await verify(installation, ledger, findings, kill === kills ? 'all' : 'new');
      savedUnanswered += found.savedUnanswered;
      progress(
        `kill ${kill} of ${kills}, ${both ? 'with PostgreSQL, ' : ''}after ${after} ms: ${load.answers.text()}`,
      );
    }

    await finishJobs(installation, findings);
    const swept = await sweepADayLater(installation, ledger, findings);
    await installation.close();
    return [
      {
        what: `kill -9 of the server under load (${withPostgres} times with PostgreSQL)`,
        times: kills,
        checked: countsText(ledger),
        recoveries,
        seen: `${load.answers.count('none')} requests were cut off, ${savedUnanswered} uploads were saved without an answer; ${swept} objects without a row were swept`,
        findings,
      },
    ];
  },
};

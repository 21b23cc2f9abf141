import { setTimeout as delay } from 'node:timers/promises';
import { secondsSince, until } from '@customer-database/testkit/until';
import { pick, wholeNumber } from '../../../server/src/demo/random.ts';
import { expectRefusedInTime, refusalsText } from '../harness/answers.ts';
import { createFindings, type Fault, type Scenario } from '../harness/findings.ts';
import { type Installation, openInstallation } from '../harness/installation.ts';
import { countsText, type Ledger } from '../harness/ledger.ts';
import { finishJobs } from '../harness/leftovers.ts';
import { createLoad, openLedger } from '../harness/load.ts';
import { killOneConnection, killPostgres } from '../harness/postgres.ts';
import { createStrangers } from '../harness/strangers.ts';
import { verify } from '../harness/verify.ts';

// Requests wait at most five seconds for a connection; the rest is slack for a busy machine.
const maxAnswerSeconds = 10;
// A PostgreSQL that keeps crashing is restarted with growing delays, so the server is restarted after this many
// kills.
const killsPerServerStart = 3;

async function untilServed({ admin }: Installation, { customers }: Ledger): Promise<void> {
  const isServed = async () => {
    const answer = await admin.get(`/api/customers/${customers[0]?.id}`).catch(() => undefined);
    return answer?.status === 200;
  };
  await until('customers are served again', isServed, 60_000);
}

/** `kill -9` of all of PostgreSQL, or of one backend, under load. */
export const killPostgresUnderLoad: Scenario = {
  name: 'kill-postgres',
  async run({ times, random, folder, progress }): Promise<Fault[]> {
    const findings = createFindings();
    const installation = await openInstallation(folder, 'kill-postgres');
    const { server } = installation;
    const ledger = await openLedger(installation);
    const points = random('points');
    const load = createLoad({ installation, ledger, random: random('load'), findings });
    const strangers = createStrangers(server.url, findings);
    const kills = times(20, 3);
    const recoveries: number[] = [];
    let singles = 0;

    for (let kill = 1; kill <= kills; kill += 1) {
      load.start();
      strangers.start();
      const after = wholeNumber(100, 1_200, points);
      const isSingle = kill % 4 === 0;
      await delay(after);
      const began = performance.now();
      if (isSingle) await killOneConnection(installation.folder, (pids) => pick(pids, points));
      else await killPostgres(installation.folder);
      await untilServed(installation, ledger);
      recoveries.push(secondsSince(began));
      await delay(300);
      await load.stop();
      await strangers.stop();
      findings.expect(!server.hasExited(), 'the server ended with its database');

      if (isSingle) singles += 1;
      await verify(installation, ledger, findings, kill === kills ? 'all' : 'new');
      progress(`kill ${kill} of ${kills}${isSingle ? ', one process' : ''}: ${load.answers.text()}`);
      if (kill % killsPerServerStart === 0) {
        await server.terminate();
        await server.start();
      }
    }
    expectRefusedInTime(load.answers, maxAnswerSeconds, findings);
    await finishJobs(installation, findings);
    await verify(installation, ledger, findings, 'new');
    await installation.close();
    return [
      {
        what: `kill -9 of PostgreSQL under load (${singles} times of one of its processes)`,
        times: kills,
        checked: countsText(ledger),
        recoveries,
        seen: `${refusalsText(load.answers)}; of ${strangers.tries()} tries of strangers none was let in`,
        findings,
      },
    ];
  },
};

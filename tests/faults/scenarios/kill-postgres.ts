import { setTimeout as delay } from 'node:timers/promises';
import { secondsSince, until } from '@customer-database/testkit/until';
import { pick, wholeNumber } from '../../../server/src/demo/random.ts';
import { createFindings, type Fault, type Findings, type Scenario } from '../harness/findings.ts';
import { type Installation, openInstallation } from '../harness/installation.ts';
import { countsText, type Ledger } from '../harness/ledger.ts';
import { finishJobs } from '../harness/leftovers.ts';
import { type Load, openLedger, startLoad } from '../harness/load.ts';
import { killOneConnection, killPostgres, postgresPids } from '../harness/postgres.ts';
import { startStrangers } from '../harness/strangers.ts';
import { verify } from '../harness/verify.ts';

// Requests wait at most five seconds for a connection; the rest is slack for a busy machine.
const maxAnswerSeconds = 10;
// A PostgreSQL that keeps crashing is restarted with growing delays, so the server is restarted after this many
// kills.
const killsPerServerStart = 3;

/** The period during which no PostgreSQL process ran. */
async function watchOutage(folder: string): Promise<{ from: number; to: number }> {
  const from = performance.now();
  let to = from;
  await until(
    'PostgreSQL is started again',
    async () => {
      const isBack = (await postgresPids(folder)) !== undefined;
      if (!isBack) to = performance.now();
      return isBack;
    },
    60_000,
  );
  return { from, to };
}

function checkSignIns({ signInTries }: Load, down: { from: number; to: number }, findings: Findings): number {
  const meanwhile = signInTries.filter(({ began, ended }) => began >= down.from && ended <= down.to);
  for (const { status } of meanwhile) {
    findings.expect(status === 503, `a sign-in without a database was answered ${status}`);
  }
  return meanwhile.length;
}

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
    const loadRandom = random('load');
    const kills = times(20, 3);
    const recoveries: number[] = [];
    const seen = { told: 0, slowest: 0, signIns: 0, strangers: 0, single: 0 };

    for (let kill = 1; kill <= kills; kill += 1) {
      const load = startLoad({ installation, ledger, random: loadRandom, findings });
      const strangers = startStrangers(server.url, findings);
      const after = wholeNumber(100, 1_200, points);
      const isSingle = kill % 4 === 0;
      await delay(after);
      const began = performance.now();
      if (isSingle) await killOneConnection(installation.folder, (pids) => pick(pids, points));
      else await killPostgres(installation.folder);
      const down = isSingle ? undefined : await watchOutage(installation.folder);
      await untilServed(installation, ledger);
      recoveries.push(secondsSince(began));
      await delay(300);
      await load.stop();
      await strangers.stop();
      findings.expect(!server.hasExited(), 'the server ended with its database');

      if (isSingle) seen.single += 1;
      if (down) seen.signIns += checkSignIns(load, down, findings);
      seen.told += load.answers.count(503);
      seen.slowest = Math.max(seen.slowest, load.answers.longest(503));
      seen.strangers += strangers.tries();
      await verify(installation, ledger, findings, kill === kills ? 'all' : 'new');
      progress(`kill ${kill} of ${kills}${isSingle ? ', one process' : ''}: ${load.answers.text()}`);
      if (kill % killsPerServerStart === 0) {
        await server.terminate();
        await server.start();
      }
    }
    findings.expect(seen.told > 0, 'no request was told 503: nothing was broken');
    findings.expect(seen.slowest < maxAnswerSeconds, `a 503 came after ${seen.slowest.toFixed(1)} s`);
    await finishJobs(installation, findings);
    await verify(installation, ledger, findings, 'new');
    await installation.close();
    return [
      {
        what: `kill -9 of PostgreSQL under load (${seen.single} times of one of its processes)`,
        times: kills,
        checked: countsText(ledger),
        recoveries,
        seen:
          `${seen.told} requests were told 503, the slowest after ${seen.slowest.toFixed(1)} s; of ` +
          `${seen.signIns} sign-ins meanwhile and ${seen.strangers} tries of strangers none was let in`,
        findings,
      },
    ];
  },
};

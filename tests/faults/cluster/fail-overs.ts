import { setTimeout as delay } from 'node:timers/promises';
import { secondsSince, until } from '@customer-database/testkit/until';
import { createLog } from '../../../server/src/core/log.ts';
import { createPool } from '../../../server/src/db/client.ts';
import { wholeNumber } from '../../../server/src/demo/random.ts';
import { expectRefusedInTime, refusalsText } from '../harness/answers.ts';
import { createFindings, type Fault, type Findings, type ScenarioContext } from '../harness/findings.ts';
import { signIn } from '../harness/installation.ts';
import { countsText, type Ledger } from '../harness/ledger.ts';
import { finishJobs } from '../harness/leftovers.ts';
import { createLoad, openLedger } from '../harness/load.ts';
import { createStrangers } from '../harness/strangers.ts';
import { verify } from '../harness/verify.ts';
import { openCluster } from './installation.ts';
import type { Replicated } from './replicated.ts';

// Requests wait at most five seconds for a connection, and for an answer until the proxy marks the machine down; the
// rest is slack for a busy machine.
const maxAnswerSeconds = 15;

/** A standby would serve old data and could not write. */
async function expectStandbyRefused(database: Replicated, findings: Findings): Promise<void> {
  const pool = createPool(database.standbyUrl(), 1, createLog('silent'));
  const refused = await pool.connect().then(
    (client) => client.release(true),
    (error: Error) => error.name,
  );
  await pool.end();
  findings.expect(refused === 'ReadOnlyDatabase', `a connection to the standby: ${refused ?? 'taken'}`);
}

/** A sign-in writes, so it proves more than a read. */
async function untilWritten(url: string, ledger: Ledger): Promise<void> {
  const token = await until('sign-ins work again', () => signIn(url).catch(() => undefined), 120_000);
  ledger.tokens.push(token);
  ledger.counts.signIns += 1;
}

export type FailOvers = {
  name: string;
  rounds: number;
  openDatabase(folder: string): Promise<Replicated>;
  what(frozen: number): string;
};

/** The primary is lost under load and its standby takes over; the servers keep running. Then it comes back as standby. */
export async function runFailOvers(
  { random, folder, progress }: ScenarioContext,
  { name, rounds, openDatabase, what }: FailOvers,
): Promise<Fault> {
  const findings = createFindings();
  const opened: Replicated[] = [];
  const cluster = await openCluster(folder, name, async (place) => {
    const database = await openDatabase(place);
    opened.push(database);
    return database;
  });
  const [database] = opened;
  if (!database) throw new Error('There is no database');
  const { installation, servers } = cluster;
  const { url } = installation.server;
  const ledger = await openLedger(installation);
  await expectStandbyRefused(database, findings);
  const points = random('points');
  const load = createLoad({ installation, ledger, random: random('load'), findings });
  const strangers = createStrangers(url, findings);
  const recoveries: number[] = [];
  let frozen = 0;

  for (let round = 1; round <= rounds; round += 1) {
    const how = round % 2 === 0 ? 'frozen' : 'killed';
    load.start();
    strangers.start();
    await delay(wholeNumber(1_000, 3_000, points));
    const began = performance.now();
    await database.losePrimary(how);
    await database.promoteStandby();
    await untilWritten(url, ledger);
    recoveries.push(secondsSince(began));
    await delay(1_000);
    await load.stop();
    await strangers.stop();
    findings.expect(!servers.some((server) => server.hasExited()), 'a server ended with its database');
    if (how === 'frozen') frozen += 1;
    await verify(installation, ledger, findings, round === rounds ? 'all' : 'new');
    progress(`fail-over ${round} of ${rounds}, ${how}: ${load.answers.text()}`);
    await database.rebuildStandby();
  }
  expectRefusedInTime(load.answers, maxAnswerSeconds, findings);
  await finishJobs(installation, findings);
  await verify(installation, ledger, findings, 'new');
  await cluster.close();
  return {
    what: what(frozen),
    times: rounds,
    checked: countsText(ledger),
    recoveries,
    seen:
      `two servers behind HAProxy found the new primary by themselves; ${refusalsText(load.answers)}; ` +
      `of ${strangers.tries()} tries of strangers none was let in`,
    findings,
  };
}

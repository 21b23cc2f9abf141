import { randomBytes } from 'node:crypto';
import { startEmbedded } from '@customer-database/embedded-postgres/start';
import { issueLink } from '@customer-database/testkit/documents';
import { makeCustomer, makeDocument, makeUser } from '@customer-database/testkit/factories';
import { mfaToken, verifyLogin } from '@customer-database/testkit/sign-in';
import { stopClock } from '@customer-database/testkit/stopped-clock';
import type { TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, totpCode } from '@customer-database/testkit/totp';
import { limits } from '../../contract/src/limits.ts';
import { createLog } from '../../server/src/core/log.ts';
import { startClocked } from '../harness/clocked.ts';
import { makeDataFolder } from '../harness/data-folder.ts';
import { createFindings, type Fault, type Findings, plural, type Scenario } from '../harness/findings.ts';

const minute = 60_000;
const step = 30_000;
const move = 20 * minute;
const lifetime = limits.linkLifetimeSeconds * 1000;
const idle = 30 * minute;
const longest = 60 * minute;
// Servers that work together may differ by so much, and a link of one must work at another.
const tolerance = minute;

/** Two servers that share a database, each with a clock of its own. */
type Pair = { first: TestApp; second: TestApp; isShort: boolean };

/** Both clocks, seen from one and the same moment. */
function setClocks({ first, second }: Pair, at: number, secondAt = at): void {
  first.clock.set(new Date(at));
  second.clock.set(new Date(secondAt));
}

/** Whether it opens a session now; what was held against earlier tries is forgiven, so that only the code counts. */
async function opensSession(app: TestApp, email: string, code: string): Promise<boolean> {
  await app.pool.query('delete from throttles');
  const { status } = await verifyLogin(app, await mfaToken(app, email), code);
  return status === 200;
}

const now = 0;

/** Where the clocks of the two servers can stand when somebody tries a code again. */
const standings = [
  [now, now],
  [move, -move],
  [-move, move],
  [move, now],
  [now, move],
  [-move, now],
  [now, -move],
  [move, move],
  [-move, -move],
] as const;

async function expectUsedUp(pair: Pair, usedAt: number, email: string, code: string, findings: Findings) {
  const chosen = standings.slice(0, pair.isShort ? 3 : standings.length);
  for (const [first, second] of chosen) {
    setClocks(pair, usedAt + first, usedAt + second);
    for (const app of [pair.first, pair.second]) {
      findings.expect(!(await opensSession(app, email, code)), 'a used code worked again');
    }
  }
  setClocks(pair, usedAt);
  findings.expect(
    !(await opensSession(pair.first, email, code)),
    'a used code worked once the clock was right',
  );
  return 2 * chosen.length + 1;
}

async function useCodes(pair: Pair, direction: number, findings: Findings): Promise<number> {
  const start = Date.now();
  setClocks(pair, start);
  const user = await makeUser(pair.first, 'staff');
  const { secret, recoveryCodes } = await enableMfa(pair.first, user);
  let tries = 0;

  // One code used before the move, one after it, and a recovery code, which is for when no code works.
  const before = start + step;
  setClocks(pair, before);
  const code = totpCode(secret, new Date(before));
  findings.expect(await opensSession(pair.first, user.email, code), 'a new code did not work');
  tries += await expectUsedUp(pair, before, user.email, code, findings);

  const after = before + direction * move;
  setClocks(pair, after);
  const other = totpCode(secret, new Date(after));
  const worked = await opensSession(pair.second, user.email, other);
  findings.expect(
    worked === direction > 0,
    `a code from ${direction * 20} minutes on ${worked ? 'worked' : 'did not work'}`,
  );
  if (worked) tries += await expectUsedUp(pair, after, user.email, other, findings);

  setClocks(pair, before);
  const [recovery = ''] = recoveryCodes;
  findings.expect(await opensSession(pair.first, user.email, recovery), 'a recovery code did not work');
  return tries + (await expectUsedUp(pair, before, user.email, recovery, findings));
}

const askedEvery = 2 * minute;

/** How long it is served, by the clock of the server that is asked, when asked again and again for an hour. */
async function servedFor(app: TestApp, url: string, from: number): Promise<number> {
  const served: number[] = [];
  for (let at = from; at <= from + longest; at += askedEvery) {
    app.clock.set(new Date(at));
    if ((await fetch(url, { method: 'HEAD' })).status === 200) served.push(at);
  }
  const [begin, end] = [served.at(0), served.at(-1)];
  return begin === undefined || end === undefined ? 0 : end - begin;
}

/** A link of before the move, and one that was made while the clock was wrong. */
async function followLinks(pair: Pair, direction: number, findings: Findings): Promise<number> {
  const { first } = pair;
  const start = Date.now();
  setClocks(pair, start);
  const admin = await makeUser(first, 'admin');
  const { id } = await makeDocument(admin.client, (await makeCustomer(admin.client)).id);
  const made = await issueLink(admin.client, id, 'download');
  findings.expect((await fetch(made)).status === 200, 'a new link did not work');
  const expires = Number(new URL(made).searchParams.get('expires')) * 1000;

  for (const at of [expires + 1_000, expires + move]) {
    setClocks(pair, at);
    findings.expect((await fetch(made)).status === 403, 'a link lived on after its time');
  }
  setClocks(pair, start + direction * move);
  findings.expect(
    (await fetch(made)).status === 403,
    `a link was served by a clock ${direction * 20} minutes on`,
  );
  const wrong = await issueLink(admin.client, id, 'view');
  const spans = [
    await servedFor(first, made, start - move),
    await servedFor(first, made, start + direction * move),
    await servedFor(first, wrong, start),
    await servedFor(first, wrong, start - move),
  ];
  for (const span of spans) {
    findings.expect(span <= lifetime + tolerance, `a link was served for ${span / minute} minutes`);
  }
  return spans.length * (longest / askedEvery);
}

/** A session ends at the time that was kept when it began, whatever the clock did since. */
async function holdSessions(pair: Pair, direction: number, findings: Findings): Promise<number> {
  const start = Date.now();
  setClocks(pair, start);
  const { token } = await makeUser(pair.first, 'staff');
  const statusAt = async (at: number) => {
    setClocks(pair, at);
    const answers = [];
    for (const app of [pair.first, pair.second])
      answers.push((await app.client(token).get('/api/auth/verify')).status);
    return answers.join();
  };
  findings.expect((await statusAt(start + idle + minute)) === '401,401', 'a session outlived its idle time');
  for (let at = start + direction * move; at < start + longest; at += idle / 2) await statusAt(at);
  findings.expect(
    (await statusAt(start + longest + minute)) === '401,401',
    'a session outlived its longest time',
  );
  return 1;
}

/** The clock goes wrong by twenty minutes and right again, on one of two servers or on both. */
export const clockMoved: Scenario = {
  name: 'clock',
  async run({ times, isShort, folder, progress }): Promise<Fault[]> {
    const dataDir = await makeDataFolder(folder, 'clock');
    const database = await startEmbedded({ dataDir, log: createLog('error') });
    const env = {
      SECRET_KEY: randomBytes(32).toString('hex'),
      SESSION_IDLE_MINUTES: String(idle / minute),
      SESSION_MAX_HOURS: String(longest / (60 * minute)),
    };
    const shared = { databaseUrl: database.url, folder: dataDir, env };
    const pair = {
      first: await startClocked({ ...shared, name: 'first' }),
      second: await startClocked({ ...shared, name: 'second' }),
      isShort,
    };
    for (const app of [pair.first, pair.second]) stopClock(app);
    const rounds = times(3, 1);
    const faults: Fault[] = [];
    for (const direction of [1, -1]) {
      const findings = createFindings();
      const counts = { codes: 0, links: 0, sessions: 0 };
      for (let round = 1; round <= rounds; round += 1) {
        counts.codes += await useCodes(pair, direction, findings);
        counts.links += await followLinks(pair, direction, findings);
        counts.sessions += await holdSessions(pair, direction, findings);
        progress(`clock ${direction > 0 ? 'forward' : 'back'}, ${round} of ${rounds}`);
      }
      faults.push({
        what: `the clock moves ${direction > 0 ? 'forward' : 'back'} by 20 minutes`,
        times: rounds,
        checked: `${counts.codes} tries of used codes, ${counts.links} of links, ${plural(counts.sessions, 'session')}`,
        recoveries: [],
        seen: 'no used code worked again, on either server; no link was served for longer than it lives',
        findings,
      });
    }
    await pair.first.close();
    await pair.second.close();
    await database.stop();
    return faults;
  },
};

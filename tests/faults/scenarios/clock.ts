import { randomBytes } from 'node:crypto';
import { startEmbedded } from '@customer-database/embedded-postgres/start';
import { issueLink } from '@customer-database/testkit/documents';
import { makeCustomer, makeDocument, makeUser } from '@customer-database/testkit/factories';
import { mfaToken, verifyLogin } from '@customer-database/testkit/sign-in';
import { stopClock } from '@customer-database/testkit/stopped-clock';
import type { TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, totpCode } from '@customer-database/testkit/totp';
import { limits } from '../../../contract/src/limits.ts';
import { createLog } from '../../../server/src/core/log.ts';
import { makeDataFolder } from '../harness/data-folder.ts';
import { createFindings, type Fault, type Findings, plural, type Scenario } from '../harness/findings.ts';
import { startWithClock } from '../harness/test-clock-server.ts';

const minute = 60_000;
const step = 30_000;
const shift = 20 * minute;
const linkLifetime = limits.linkLifetimeSeconds * 1000;
const idle = 30 * minute;
const maxSession = 60 * minute;
// Clocks of servers may differ by this much, and a link of one must work at another.
const tolerance = minute;

/** Two servers on one database, each with its own clock. */
type Pair = { first: TestApp; second: TestApp; isShort: boolean };

/** Sets both clocks. */
function setClocks({ first, second }: Pair, at: number, secondAt = at): void {
  first.clock.set(new Date(at));
  second.clock.set(new Date(secondAt));
}

/** Whether the code opens a session now; clears the throttle, so that only the code counts. */
async function opensSession(app: TestApp, email: string, code: string): Promise<boolean> {
  await app.pool.query('delete from throttles');
  const { status } = await verifyLogin(app, await mfaToken(app, email), code);
  return status === 200;
}

const now = 0;

/** Offsets of the two clocks when a code is tried again. */
const clockOffsets = [
  [now, now],
  [shift, -shift],
  [-shift, shift],
  [shift, now],
  [now, shift],
  [-shift, now],
  [now, -shift],
  [shift, shift],
  [-shift, -shift],
] as const;

async function expectCodeUsed(pair: Pair, usedAt: number, email: string, code: string, findings: Findings) {
  const chosen = clockOffsets.slice(0, pair.isShort ? 3 : clockOffsets.length);
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

  // One code used before the shift, one after it, and a recovery code, which must always work.
  const before = start + step;
  setClocks(pair, before);
  const code = totpCode(secret, new Date(before));
  findings.expect(await opensSession(pair.first, user.email, code), 'a new code did not work');
  tries += await expectCodeUsed(pair, before, user.email, code, findings);

  const after = before + direction * shift;
  setClocks(pair, after);
  const other = totpCode(secret, new Date(after));
  const worked = await opensSession(pair.second, user.email, other);
  findings.expect(
    worked === direction > 0,
    `a code from ${direction * 20} minutes on ${worked ? 'worked' : 'did not work'}`,
  );
  if (worked) tries += await expectCodeUsed(pair, after, user.email, other, findings);

  setClocks(pair, before);
  const [recovery = ''] = recoveryCodes;
  findings.expect(await opensSession(pair.first, user.email, recovery), 'a recovery code did not work');
  return tries + (await expectCodeUsed(pair, before, user.email, recovery, findings));
}

const interval = 2 * minute;

/** How long a link is served by the server's clock, polled over an hour. */
async function servedFor(app: TestApp, url: string, from: number): Promise<number> {
  const served: number[] = [];
  for (let at = from; at <= from + maxSession; at += interval) {
    app.clock.set(new Date(at));
    if ((await fetch(url, { method: 'HEAD' })).status === 200) served.push(at);
  }
  const [begin, end] = [served.at(0), served.at(-1)];
  return begin === undefined || end === undefined ? 0 : end - begin;
}

/** A link from before the shift, and one made while the clock was wrong. */
async function followLinks(pair: Pair, direction: number, findings: Findings): Promise<number> {
  const { first } = pair;
  const start = Date.now();
  setClocks(pair, start);
  const admin = await makeUser(first, 'admin');
  const { id } = await makeDocument(admin.client, (await makeCustomer(admin.client)).id);
  const made = await issueLink(admin.client, id, 'download');
  findings.expect((await fetch(made)).status === 200, 'a new link did not work');
  const expires = Number(new URL(made).searchParams.get('expires')) * 1000;

  for (const at of [expires + 1_000, expires + shift]) {
    setClocks(pair, at);
    findings.expect((await fetch(made)).status === 403, 'a link lived on after its time');
  }
  setClocks(pair, start + direction * shift);
  findings.expect(
    (await fetch(made)).status === 403,
    `a link was served by a clock ${direction * 20} minutes on`,
  );
  const wrong = await issueLink(admin.client, id, 'view');
  const spans = [
    await servedFor(first, made, start - shift),
    await servedFor(first, made, start + direction * shift),
    await servedFor(first, wrong, start),
    await servedFor(first, wrong, start - shift),
  ];
  for (const span of spans) {
    findings.expect(span <= linkLifetime + tolerance, `a link was served for ${span / minute} minutes`);
  }
  return spans.length * (maxSession / interval);
}

/** A session ends at the time recorded at its start, whatever the clock did since. */
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
  for (let at = start + direction * shift; at < start + maxSession; at += idle / 2) await statusAt(at);
  findings.expect(
    (await statusAt(start + maxSession + minute)) === '401,401',
    'a session outlived its longest time',
  );
  return 1;
}

/** The clock shifts by twenty minutes and back, on one of two servers or on both. */
export const clockMoved: Scenario = {
  name: 'clock',
  async run({ times, isShort, folder, progress }): Promise<Fault[]> {
    const dataDir = await makeDataFolder(folder, 'clock');
    const database = await startEmbedded({ dataDir, log: createLog('error') });
    const env = {
      SECRET_KEY: randomBytes(32).toString('hex'),
      SESSION_IDLE_MINUTES: String(idle / minute),
      SESSION_MAX_HOURS: String(maxSession / (60 * minute)),
    };
    const shared = { databaseUrl: database.url, folder: dataDir, env };
    const pair = {
      first: await startWithClock({ ...shared, name: 'first' }),
      second: await startWithClock({ ...shared, name: 'second' }),
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

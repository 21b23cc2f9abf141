import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@customer-database/testkit/client';
import { from, newAddress } from '@customer-database/testkit/sign-in';
import { totpCode, wrongTotpCode } from '@customer-database/testkit/totp';
import { createFindings, type Fault, plural } from '../harness/findings.ts';
import type { Server } from '../harness/server.ts';
import { secondsSince } from '../harness/until.ts';
import type { Cluster } from './installation.ts';
import { addStaff, statusAt, tokenAt, trySignIn } from './people.ts';

const wrong = { password: 'a wrong guess' };
// The sixth wrong password is still checked and starts a wait of one second, then two, then four.
const freeTries = 6;
const maxChecksWithin = (seconds: number) => freeTries + Math.floor(Math.log2(1 + seconds));
const concurrency = 20;
const stepMs = 30_000;
const minLeftMs = 10_000;

/** The two servers in turn. */
const serverFor = ({ servers }: Cluster, turn: number): Server => servers[turn % 2 === 0 ? 0 : 1];

/** Alternates the server of the sign-out. */
export async function signOutAtOne(cluster: Cluster, times: number): Promise<Fault> {
  const findings = createFindings();
  const { installation } = cluster;
  const [email = ''] = await addStaff(installation, 1);
  for (let time = 0; time < times; time += 1) {
    const here = serverFor(cluster, time);
    const there = serverFor(cluster, time + 1);
    const token = await tokenAt(here, email);
    findings.expect((await statusAt(there, token)) === 200, 'a session of one was not known to the other');
    const client = createClient(time % 3 === 0 ? installation.server.url : here.url, token);
    const { status } = await client.post('/api/auth/logout');
    findings.expect(status === 200, `a sign-out was answered ${status}`);
    const after = await Promise.all([here, there, installation.server].map((at) => statusAt(at, token)));
    findings.expect(
      after.every((answer) => answer === 401),
      `after the sign-out: ${after}`,
    );
  }
  const seen = 'ended at the other and through the proxy with the next request';
  const checked = plural(times, 'session');
  return { what: 'two servers: a sign-out at one', times, checked, recoveries: [], seen, findings };
}

const countOf = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;

/** Wrong passwords for one account from one address, sequentially and concurrently. */
export async function failedSignIns(cluster: Cluster, times: number): Promise<Fault> {
  const findings = createFindings();
  let guesses = 0;
  for (const way of Array.from({ length: times }, () => ['by turns', 'at once'] as const).flat()) {
    const [email = ''] = await addStaff(cluster.installation, 1);
    const address = newAddress();
    const guess = async (turn: number) => {
      const { status } = await trySignIn(serverFor(cluster, turn), email, { ...wrong, address });
      return status;
    };
    const statuses: number[] = [];
    const began = performance.now();
    if (way === 'at once') {
      statuses.push(...(await Promise.all(Array.from({ length: concurrency }, (_, turn) => guess(turn)))));
    } else {
      for (let turn = 0; turn < freeTries + 3; turn += 1) statuses.push(await guess(turn));
    }
    guesses += statuses.length;
    const rejected = countOf(statuses, 401);
    const throttled = countOf(statuses, 429);
    findings.expect(rejected + throttled === statuses.length, `wrong passwords were answered ${statuses}`);
    const allowed = maxChecksWithin(secondsSince(began));
    findings.expect(rejected <= allowed, `${rejected} guesses ${way} were rejected at: ${statuses}`);
  }
  const seen = 'no more were looked at than one server would';
  const what = 'two servers: wrong passwords at both, by turns and at once';
  return {
    what,
    times: times * 2,
    checked: `${guesses} guesses`,
    recoveries: [],
    seen,
    findings,
  };
}

const leftInStep = () => stepMs - (Date.now() % stepMs);

/** Codes of the previous step are valid until this one ends: waits until enough of it is left. */
async function withTimeLeftInStep(): Promise<Date> {
  // Not just once: a timer may be a millisecond early.
  while (leftInStep() < minLeftMs) await delay(leftInStep());
  return new Date();
}

/** Uses the code of the previous step, so that the current one is still unused. */
async function switchMfaOn(cluster: Cluster, email: string): Promise<{ secret: string; now: Date }> {
  const [here] = cluster.servers;
  const client = createClient(here.url, await tokenAt(here, email));
  const { secret } = (await client.post('/api/auth/mfa/setup/start')).body;
  const now = await withTimeLeftInStep();
  const code = totpCode(secret, new Date(now.getTime() - stepMs));
  const { status } = await client.post('/api/auth/mfa/setup/verify', { code });
  if (status !== 200) throw new Error(`MFA was not switched on: ${status}`);
  return { secret, now };
}

async function challenge(at: Server, email: string): Promise<string> {
  const { body } = await trySignIn(at, email);
  if (!body.mfa_token) throw new Error(`No code was asked for: ${JSON.stringify(body)}`);
  return body.mfa_token;
}

/** A new address each time, or together they would use up the guesses of one address. */
const enter = async ({ url }: Server, mfa_token: string, code: string) =>
  (await createClient(url).post('/api/auth/mfa/verify-login', { mfa_token, code }, from(newAddress())))
    .status;

/** One code used at one server and then at the other, or many times concurrently at both. */
export async function codesUsedTwice(cluster: Cluster, times: number): Promise<Fault> {
  const findings = createFindings();
  const emails = await addStaff(cluster.installation, times * 2);
  let tries = 0;
  for (const [index, email] of emails.entries()) {
    const here = serverFor(cluster, index);
    const there = serverFor(cluster, index + 1);
    const { secret, now } = await switchMfaOn(cluster, email);
    const code = totpCode(secret, now);
    if (index % 2 === 0) {
      const [first, second] = [await challenge(here, email), await challenge(there, email)];
      const statuses = [await enter(here, first, code), await enter(there, second, code)];
      findings.expect(statuses[0] === 200, `a good code was answered ${statuses[0]}`);
      findings.expect(statuses[1] !== 200, 'a code that was used at one worked at the other');
      tries += 2;
    } else {
      const tokens: string[] = [];
      for (let turn = 0; turn < concurrency; turn += 1)
        tokens.push(await challenge(serverFor(cluster, turn), email));
      const statuses = await Promise.all(
        tokens.map((token, turn) => enter(serverFor(cluster, turn), token, code)),
      );
      findings.expect(countOf(statuses, 200) === 1, `one code at once at both: ${statuses}`);
      tries += concurrency;
    }
    const token = await challenge(there, email).catch(() => undefined);
    if (token) {
      const status = await enter(here, token, wrongTotpCode(secret, now));
      findings.expect(status !== 200, 'a wrong code was taken');
    }
  }
  const what = `two servers: one MFA code at both, also ${concurrency} times at once`;
  const seen = 'each code let in exactly one';
  return { what, times: emails.length, checked: `${tries} tries`, recoveries: [], seen, findings };
}

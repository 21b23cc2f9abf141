import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@customer-database/testkit/client';
import { from, newAddress } from '@customer-database/testkit/sign-in';
import { totpCode, wrongTotpCode } from '@customer-database/testkit/totp';
import { createFindings, type Fault, plural } from '../harness/findings.ts';
import type { Server } from '../harness/server.ts';
import { secondsSince } from '../harness/waiting.ts';
import type { Several } from './installation.ts';
import { addStaff, statusAt, tokenAt, trySignIn } from './people.ts';

const wrong = { password: 'a wrong guess' };
// The sixth wrong password is looked at and brings a wait of a second; the next one two seconds, then four.
const freeTries = 6;
const looksWithin = (seconds: number) => freeTries + Math.floor(Math.log2(1 + seconds));
const atOnce = 20;
const stepMs = 30_000;
const leastLeftMs = 10_000;

/** The one and the other by turns. */
const alternately = ({ servers }: Several, turn: number): Server => servers[turn % 2 === 0 ? 0 : 1];

/** By turns, so that the one where it happens is not always the same, nor the other. */
export async function signOutAtOne(several: Several, times: number): Promise<Fault> {
  const findings = createFindings();
  const { installation } = several;
  const [email = ''] = await addStaff(installation, 1);
  for (let time = 0; time < times; time += 1) {
    const here = alternately(several, time);
    const there = alternately(several, time + 1);
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

/** Wrong passwords for one account from one address: one after the other, and all at once. */
export async function failedSignIns(several: Several, times: number): Promise<Fault> {
  const findings = createFindings();
  let guesses = 0;
  for (const way of Array.from({ length: times }, () => ['by turns', 'at once'] as const).flat()) {
    const [email = ''] = await addStaff(several.installation, 1);
    const address = newAddress();
    const guess = async (turn: number) => {
      const { status } = await trySignIn(alternately(several, turn), email, { ...wrong, address });
      return status;
    };
    const statuses: number[] = [];
    const began = performance.now();
    if (way === 'at once') {
      statuses.push(...(await Promise.all(Array.from({ length: atOnce }, (_, turn) => guess(turn)))));
    } else {
      for (let turn = 0; turn < freeTries + 3; turn += 1) statuses.push(await guess(turn));
    }
    guesses += statuses.length;
    const looked = countOf(statuses, 401);
    const told = countOf(statuses, 429);
    findings.expect(looked + told === statuses.length, `wrong passwords were answered ${statuses}`);
    const allowed = looksWithin(secondsSince(began));
    findings.expect(looked <= allowed, `${looked} guesses ${way} were looked at: ${statuses}`);
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

/** Codes of the step before this one are good until this one ends: waits until that is not too soon. */
async function whileStepLasts(): Promise<Date> {
  const left = stepMs - (Date.now() % stepMs);
  if (left < leastLeftMs) await delay(left);
  return new Date();
}

/** With the code of the step before, so that the one that is shown now has not been used. */
async function switchMfaOn(several: Several, email: string): Promise<{ secret: string; now: Date }> {
  const [here] = several.servers;
  const client = createClient(here.url, await tokenAt(here, email));
  const { secret } = (await client.post('/api/auth/mfa/setup/start')).body;
  const now = await whileStepLasts();
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

/** From somewhere else each time, or all of them together would use up what one address may guess. */
const enter = async ({ url }: Server, mfa_token: string, code: string) =>
  (await createClient(url).post('/api/auth/mfa/verify-login', { mfa_token, code }, from(newAddress())))
    .status;

/** One code: used at one and then at the other, or many times at the same moment at both. */
export async function codesUsedTwice(several: Several, times: number): Promise<Fault> {
  const findings = createFindings();
  const emails = await addStaff(several.installation, times * 2);
  let tries = 0;
  for (const [index, email] of emails.entries()) {
    const here = alternately(several, index);
    const there = alternately(several, index + 1);
    const { secret, now } = await switchMfaOn(several, email);
    const code = totpCode(secret, now);
    if (index % 2 === 0) {
      const [first, second] = [await challenge(here, email), await challenge(there, email)];
      const statuses = [await enter(here, first, code), await enter(there, second, code)];
      findings.expect(statuses[0] === 200, `a good code was answered ${statuses[0]}`);
      findings.expect(statuses[1] !== 200, 'a code that was used at one worked at the other');
      tries += 2;
    } else {
      const tokens: string[] = [];
      for (let turn = 0; turn < atOnce; turn += 1)
        tokens.push(await challenge(alternately(several, turn), email));
      const statuses = await Promise.all(
        tokens.map((token, turn) => enter(alternately(several, turn), token, code)),
      );
      findings.expect(countOf(statuses, 200) === 1, `one code at once at both: ${statuses}`);
      tries += atOnce;
    }
    const token = await challenge(there, email).catch(() => undefined);
    if (token) {
      const status = await enter(here, token, wrongTotpCode(secret, now));
      findings.expect(status !== 200, 'a wrong code was taken');
    }
  }
  const what = `two servers: one MFA code at both, also ${atOnce} times at once`;
  const seen = 'each code let in exactly one';
  return { what, times: emails.length, checked: `${tries} tries`, recoveries: [], seen, findings };
}

import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@customer-database/testkit/client';
import { newAddress } from '@customer-database/testkit/sign-in';
import { secondsSince, until } from '@customer-database/testkit/until';
import { hashPassword } from '../../../server/src/crypto/passwords.ts';
import { type Answers, createAnswers } from '../harness/answers.ts';
import { createFindings, type Fault, type Scenario } from '../harness/findings.ts';
import { adminAccount, type Installation, openInstallation, signIn } from '../harness/installation.ts';
import { countsText, type Ledger } from '../harness/ledger.ts';
import { openLedger } from '../harness/load.ts';
import { withDatabase } from '../harness/postgres.ts';
import { makeSharedFile, type SharedFile, uploadShared } from '../harness/shared-upload.ts';
import { verify } from '../harness/verify.ts';
import { watchHealth } from '../harness/watch-health.ts';

const tenMegabytes = 10 * 1024 * 1024;
// The check itself times out after three seconds; the rest is slack for a busy machine.
const maxHealthSeconds = 25;
const maxRecoverySeconds = 20;
const maxMegabytes = 500;
const normalSeconds = 0.5;
// Between two attempts of the same person.
const pauseMs = 1_000;

const emailOf = (number: number) => `colleague${number}@example.com`;

/** They share a password, because hashing 150 is slow. */
async function addColleagues({ folder }: Installation, count: number): Promise<void> {
  const hash = await hashPassword(adminAccount.password);
  await withDatabase(folder, (client) =>
    client.query(
      `insert into users (email, name, role, password_hash, created_at, updated_at)
       select email, email, 'staff', $2, now(), now() from unnest($1::text[]) as email`,
      [Array.from({ length: count }, (_, number) => emailOf(number)), hash],
    ),
  );
}

type Setup = {
  installation: Installation;
  ledger: Ledger;
  token: string;
  file: SharedFile;
  colleagues: number;
};

/** All colleagues sign in repeatedly, each from another address. */
async function signInUntil(signal: AbortSignal, setup: Setup, answers: Answers): Promise<void> {
  const { ledger, colleagues } = setup;
  const client = createClient(setup.installation.server.url);
  const one = async (number: number) => {
    const from = { 'x-forwarded-for': newAddress() };
    const account = { email: emailOf(number), password: adminAccount.password };
    while (!signal.aborted) {
      const began = performance.now();
      const answer = await client.post('/api/auth/login', account, from).catch(() => undefined);
      answers.note('a sign-in', answer, secondsSince(began));
      await delay(pauseMs);
      if (answer?.status !== 200) continue;
      ledger.tokens.push(answer.body.token);
      ledger.counts.signIns += 1;
    }
  };
  await Promise.all(Array.from({ length: colleagues }, (_, number) => one(number)));
}

async function uploadAll({ installation, ledger, token, file }: Setup, count: number, answers: Answers) {
  const { url } = installation.server;
  await Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const customerId = ledger.customers[number % ledger.customers.length]?.id ?? 0;
      const began = performance.now();
      const answer = await uploadShared({ url, token, ledger, customerId }, file).catch(() => undefined);
      answers.note('an upload', answer, secondsSince(began));
    }),
  );
}

async function untilNormal({ admin }: Installation, { customers }: Ledger): Promise<number> {
  const began = performance.now();
  const isNormal = async () => {
    const asked = performance.now();
    const { status } = await admin.get(`/api/customers/${customers[0]?.id}`);
    return status === 200 && secondsSince(asked) < normalSeconds;
  };
  await until('a request is answered as usual', isNormal, 60_000);
  return secondsSince(began);
}

/** Many large uploads and a storm of sign-ins at once. */
export const storm: Scenario = {
  name: 'storm',
  async run({ times, isShort, folder, progress }): Promise<Fault[]> {
    const installation = await openInstallation(folder, 'storm');
    const { server } = installation;
    const ledger = await openLedger(installation);
    // More than the queue for password hashes holds.
    const colleagues = 150;
    await addColleagues(installation, colleagues);
    const token = await signIn(server.url);
    const setup = { installation, ledger, token, file: makeSharedFile(tenMegabytes), colleagues };
    const faults: Fault[] = [];
    // Many more than run at once; and more than the queue holds.
    for (const uploads of isShort ? [16] : [50, 100]) {
      const findings = createFindings();
      const before = { ...ledger.counts };
      const recoveries: number[] = [];
      const health = { asked: 0, red: 0, slowest: 0 };
      const answers = { uploads: createAnswers(findings), signIns: createAnswers(findings) };
      const storms = times(2, 1);
      for (let round = 1; round <= storms; round += 1) {
        const controller = new AbortController();
        const watch = watchHealth(server.url);
        const signingIn = signInUntil(controller.signal, setup, answers.signIns);
        await uploadAll(setup, uploads, answers.uploads);
        controller.abort();
        await signingIn;
        recoveries.push(await untilNormal(installation, ledger));
        const { asked, red, unanswered, slowestSeconds } = await watch.stop();
        findings.expect(unanswered === 0, `/health was not answered ${unanswered} times`);
        health.asked += asked;
        health.red += red;
        health.slowest = Math.max(health.slowest, slowestSeconds);
        progress(
          `storm ${round} of ${storms}: uploads ${answers.uploads.text()}; sign-ins ${answers.signIns.text()}`,
        );
      }
      const megabytes = await server.megabytes('VmHWM');
      findings.expect(megabytes < maxMegabytes, `it held ${megabytes.toFixed(0)} MB`);
      findings.expect(health.slowest < maxHealthSeconds, `/health took ${health.slowest.toFixed(1)} s`);
      findings.expect(Math.max(...recoveries) < maxRecoverySeconds, 'it did not recover in seconds');
      findings.expect(answers.uploads.count('none') === 0, 'an upload got no answer');
      findings.expect(answers.signIns.count('none') === 0, 'a sign-in got no answer');
      await verify(installation, ledger, findings, 'new');
      faults.push({
        what: `${uploads} uploads of 10 MB and ${colleagues} people signing in, all at once`,
        times: storms,
        checked: countsText(ledger, before),
        recoveries,
        seen:
          `uploads ${answers.uploads.text()}; sign-ins ${answers.signIns.text()}; at most ${megabytes.toFixed(0)} MB; ` +
          `/health was green ${health.asked - health.red} of ${health.asked} times, the slowest after ${health.slowest.toFixed(1)} s`,
        findings,
      });
    }
    await installation.close();
    return faults;
  },
};

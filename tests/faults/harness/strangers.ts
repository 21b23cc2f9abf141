import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, createClient } from '@customer-database/testkit/client';
import { newAddress } from '@customer-database/testkit/sign-in';
import type { Findings } from './findings.ts';
import { adminAccount } from './installation.ts';

export type Strangers = { tries(): number; start(): void; stop(): Promise<void> };

/** Clients without a session or with wrong passwords. No outage may let them in. */
export function createStrangers(url: string, findings: Findings): Strangers {
  let isStopped = false;
  let done = Promise.resolve();
  let tries = 0;
  const attempts: (() => Promise<Answer>)[] = [
    () => createClient(url, 'a-token-that-was-never-issued').get('/api/customers'),
    () => createClient(url).get('/api/documents'),
    () =>
      createClient(url).post(
        '/api/auth/login',
        { ...adminAccount, password: 'a wrong guess' },
        // A new address each time, or throttling would answer before the password is checked.
        { 'x-forwarded-for': newAddress() },
      ),
  ];
  async function keepTrying(): Promise<void> {
    for (let turn = 0; !isStopped; turn += 1) {
      const answer = await attempts[turn % attempts.length]?.().catch(() => undefined);
      if (answer) {
        tries += 1;
        const isRefused = answer.status === 401 || answer.status === 429 || answer.status === 503;
        findings.expect(isRefused, `a stranger was answered ${answer.status} ${answer.body?.code}`);
      }
      await delay(20);
    }
  }
  return {
    tries: () => tries,
    start() {
      isStopped = false;
      done = keepTrying();
    },
    async stop() {
      isStopped = true;
      await done;
    },
  };
}

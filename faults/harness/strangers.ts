import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, createClient } from '@customer-database/testkit/client';
import { newAddress } from '@customer-database/testkit/sign-in';
import type { Findings } from './findings.ts';
import { adminAccount } from './installation.ts';

export type Strangers = { tries(): number; stop(): Promise<void> };

/** People without a session and with wrong passwords, who must not be let in at any moment, whatever is broken. */
export function startStrangers(url: string, findings: Findings): Strangers {
  let isOver = false;
  let tries = 0;
  const tryIn: (() => Promise<Answer>)[] = [
    () => createClient(url, 'a-token-that-nobody-was-given').get('/api/customers'),
    () => createClient(url).get('/api/documents'),
    () =>
      createClient(url).post(
        '/api/auth/login',
        { ...adminAccount, password: 'a wrong guess' },
        // From somewhere else each time, or it would be told to wait before its password is looked at.
        { 'x-forwarded-for': newAddress() },
      ),
  ];
  async function keepTrying(): Promise<void> {
    for (let turn = 0; !isOver; turn += 1) {
      const answer = await tryIn[turn % tryIn.length]?.().catch(() => undefined);
      if (answer) {
        tries += 1;
        const isRefused = answer.status === 401 || answer.status === 429 || answer.status === 503;
        findings.expect(isRefused, `a stranger was answered ${answer.status} ${answer.body?.code}`);
      }
      await delay(20);
    }
  }
  const done = keepTrying();
  return {
    tries: () => tries,
    async stop() {
      isOver = true;
      await done;
    },
  };
}

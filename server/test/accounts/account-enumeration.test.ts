import { afterTest } from '@customer-database/testkit/cleanup';
import type { Answer } from '@customer-database/testkit/client';
import { makeAccount, makeUser, testPassword, unique } from '@customer-database/testkit/factories';
import {
  behindProxy,
  login,
  newAddress,
  withoutRequestId,
  wrongPassword,
} from '@customer-database/testkit/sign-in';
import { stopClock } from '@customer-database/testkit/stopped-clock';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemContext } from '../../src/core/context.ts';
import { setUserDisabled } from '../../src/modules/accounts/users/commands.ts';

/**
 * Whether the values of one list tend to be larger than the other's: the z-score of the Mann-Whitney rank sum
 * test. Between -3 and 3 is chance; lists of 15 that do not overlap are beyond 4.
 */
function rankSumScore(one: number[], other: number[]): number {
  let wins = 0;
  for (const a of one) for (const b of other) wins += a > b ? 1 : a === b ? 0.5 : 0;
  const pairs = one.length * other.length;
  return (wins - pairs / 2) / Math.sqrt((pairs * (one.length + other.length + 1)) / 12);
}

/** Records every SQL statement of this process until the test ends. */
function recordStatements(): { take(): string[] } {
  const recorded: string[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function recording(this: pg.Client, ...args: [{ text?: string } | string]) {
    const [first] = args;
    recorded.push(typeof first === 'string' ? first : (first.text ?? ''));
    return Reflect.apply(query, this, args);
  } as typeof query;
  afterTest(async () => {
    pg.Client.prototype.query = query;
  });
  return { take: () => recorded.splice(0) };
}

type Failure = { name: string; email: string; password: string };

let app: TestApp;
const failures: Failure[] = [];

beforeAll(async () => {
  app = await startTestApp({ env: behindProxy });
  stopClock(app);
  const admin = await makeUser(app, 'admin');
  const known = await makeAccount(app, 'staff');
  const disabled = await makeAccount(app, 'staff');
  await setUserDisabled(systemContext(app.deps), disabled.id, true);
  const late = `${unique('late')}@example.com`;
  const invited = await admin.client.post('/api/auth/invite', { email: late });
  app.clock.advance(7 * 24 * 3_600_000 + 1000);
  failures.push(
    { name: 'wrong password', email: known.email, password: wrongPassword },
    { name: 'unknown account', email: `${unique('unknown')}@example.com`, password: testPassword },
    { name: 'disabled account', email: disabled.email, password: testPassword },
    { name: 'disabled account, wrong password', email: disabled.email, password: wrongPassword },
    { name: 'expired temporary password', email: late, password: invited.body.temporary_password },
  );
});

const attempt = ({ email, password }: Failure) => login(app, email, password, newAddress());

const headersOf = (answer: Answer) =>
  [...answer.headers.keys()].filter((name) => !['date', 'x-request-id'].includes(name));

/** A busy machine makes fewer attempts, which the rank test allows for. */
function forSeconds(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() < end;
}

describe('a failed sign-in', () => {
  it('gets the same response whatever the reason', async () => {
    const shapes: unknown[] = [];
    for (const failure of failures) {
      const answer = await attempt(failure);
      expect(withoutRequestId(answer), failure.name).toEqual({
        status: 401,
        body: { error: 'Invalid email or password', code: 'SIGN_IN_FAILED' },
      });
      shapes.push([headersOf(answer), answer.headers.get('content-length')]);
    }
    for (const shape of shapes) expect(shape).toEqual(shapes[0]);
  });

  it('takes the same time whatever the reason', async () => {
    const hasTime = forSeconds(15);
    const times = failures.map((): number[] => []);
    for (let run = 0; run < 15 && hasTime(); run += 1) {
      for (const [index, failure] of failures.entries()) {
        const start = performance.now();
        const answer = await attempt(failure);
        times[index]?.push(performance.now() - start);
        expect(answer.status).toBe(401);
        // Nothing may be throttled: this measures failures that are checked.
        app.clock.advance(61_000);
      }
    }
    const [wrong = [], ...others] = times;
    expect(Math.min(...wrong)).toBeGreaterThan(5);
    for (const [index, other] of others.entries()) {
      expect(Math.abs(rankSumScore(wrong, other)), failures[index + 1]?.name).toBeLessThan(4);
    }
  });

  it('is throttled in the same way', async () => {
    for (const failure of failures.filter(({ name }) => name !== 'disabled account, wrong password')) {
      // Earlier failures have expired by then.
      app.clock.advance(3_600_001);
      const address = newAddress();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => login(app, failure.email, failure.password, address)),
      );
      const held = answers.filter((answer) => answer.status === 429);
      expect(held, failure.name).toHaveLength(4);
      for (const answer of held) {
        expect(answer.body.error).toBe('Too many attempts. Please try again in 1 second.');
      }
    }
  });
});

describe('a throttled sign-in', () => {
  const desk = newAddress();
  const unknown = `${unique('unknown')}@example.com`;
  let known: string;

  beforeAll(async () => {
    known = (await makeAccount(app, 'admin')).email;
    expect((await login(app, known, testPassword, desk)).status).toBe(200);
  });

  const fail = (email: string, address: string) => login(app, email, wrongPassword, address);

  /** Fails from other addresses until the account, existing or not, is throttled. */
  async function throttle(email: string): Promise<void> {
    await Promise.all(Array.from({ length: 22 }, () => fail(email, newAddress())));
  }

  it('gets the same response for an unknown account where the owner of a known one signed in before', async () => {
    app.clock.advance(3_600_001);
    const [ofKnown, ofUnknown] = await Promise.all(
      [known, unknown].map(async (email) => {
        await throttle(email);
        const answers = [];
        for (let tries = 0; tries < 8; tries += 1) answers.push(await fail(email, desk));
        return answers.map((answer) => [withoutRequestId(answer), answer.headers.get('retry-after')]);
      }),
    );
    expect(ofKnown).toEqual(ofUnknown);
    expect(ofKnown?.every(([answer]) => (answer as { status: number }).status === 429)).toBe(true);
  });

  it('succeeds there with the right password, unnoticed from elsewhere', async () => {
    app.clock.advance(3_600_001);
    for (const email of [known, unknown]) await throttle(email);
    expect((await login(app, known, testPassword, desk)).status).toBe(200);
    const [ofKnown, ofUnknown] = await Promise.all(
      [known, unknown].map((email) => fail(email, newAddress())),
    );
    expect(ofKnown?.status).toBe(429);
    expect(ofKnown?.headers.get('retry-after')).toBe(ofUnknown?.headers.get('retry-after'));
  });

  it('runs the same queries, and a throttled address runs one and writes nothing', async () => {
    app.clock.advance(3_600_001);
    for (const email of [known, unknown]) await throttle(email);
    const recorded = recordStatements();
    const statementsOf = async (email: string, address: string) => {
      recorded.take();
      expect((await fail(email, address)).status).toBe(429);
      return recorded.take();
    };
    const byAccount = await statementsOf(known, desk);
    expect(byAccount.length).toBeGreaterThan(3);
    expect(await statementsOf(unknown, desk)).toEqual(byAccount);
    expect(await statementsOf(known, newAddress())).toEqual(byAccount);

    for (const email of [known, unknown]) for (let tries = 0; tries < 5; tries += 1) await fail(email, desk);
    const byPair = await statementsOf(known, desk);
    expect(byPair.length).toBeLessThan(byAccount.length);
    expect(await statementsOf(unknown, desk)).toEqual(byPair);

    // Throttled attempts count for the address, which is then throttled for every account.
    for (let tries = 0; tries < 40; tries += 1) await fail(known, desk);
    const { rows: before } = await app.pool.query('select count(*) from throttles');
    const byAddress = await statementsOf(known, desk);
    expect(byAddress).toEqual([expect.stringMatching(/^select "blocked_until" from "throttles"/)]);
    for (const email of [unknown, `${unique('more')}@example.com`]) {
      expect(await statementsOf(email, desk)).toEqual(byAddress);
    }
    recorded.take();
    expect((await app.pool.query('select count(*) from throttles')).rows).toEqual(before);
  });
});

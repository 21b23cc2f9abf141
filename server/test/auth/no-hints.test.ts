import { beforeAll, describe, expect, it } from 'vitest';
import { systemContext } from '../../src/context.ts';
import { setUserDisabled } from '../../src/modules/users/commands.ts';
import type { Answer } from '../support/client.ts';
import { makeAccount, makeUser, testPassword, unique } from '../support/factories.ts';
import { behindProxy, login, newAddress, withoutRequestId, wrongPassword } from '../support/sign-in.ts';
import { stopClock } from '../support/stopped-clock.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

type Failure = { name: string; email: string; password: string };

let app: TestApp;
const failures: Failure[] = [];

beforeAll(async () => {
  app = await startTestApp({ env: behindProxy });
  stopClock(app);
  const admin = await makeUser(app, 'admin');
  const known = await makeAccount(app, 'staff');
  const disabled = await makeAccount(app, 'staff');
  await setUserDisabled(systemContext(app.deps), disabled.email, true);
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

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

describe('a failed sign-in', () => {
  it('answers the same whatever the reason', async () => {
    for (const failure of failures) {
      const answer = await attempt(failure);
      expect(withoutRequestId(answer), failure.name).toEqual({
        status: 401,
        body: { error: 'Invalid email or password', code: 'SIGN_IN_FAILED' },
      });
    }
  });

  it('carries the same headers and as many bytes', async () => {
    const shapes = await Promise.all(
      failures.map(async (failure) => {
        const answer = await attempt(failure);
        return [headersOf(answer), answer.headers.get('content-length')];
      }),
    );
    for (const shape of shapes) expect(shape).toEqual(shapes[0]);
  });

  it('takes as long whatever the reason', async () => {
    const times = failures.map((): number[] => []);
    for (let run = 0; run < 15; run += 1) {
      for (const [index, failure] of failures.entries()) {
        const start = performance.now();
        const answer = await attempt(failure);
        times[index]?.push(performance.now() - start);
        expect(answer.status).toBe(401);
        // So that nothing is held up: this is about the time of a failure that is looked at.
        app.clock.advance(61_000);
      }
    }
    const [wrong = 0, ...others] = times.map(median);
    expect(wrong).toBeGreaterThan(5);
    for (const [index, other] of others.entries()) {
      expect(other, failures[index + 1]?.name).toBeGreaterThan(wrong / 2);
      expect(other, failures[index + 1]?.name).toBeLessThan(wrong * 2);
    }
  });

  it('is held up in the same way, too', async () => {
    for (const failure of failures.filter(({ name }) => name !== 'disabled account, wrong password')) {
      // What was counted before is forgotten by then.
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

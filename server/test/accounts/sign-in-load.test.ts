import { makeAccount, testPassword, unique } from '@customer-database/testkit/factories';
import { behindProxy, login, newAddress, wrongPassword } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';
import { hashingUsage, hashPassword } from '../../src/crypto/passwords.ts';
import { ConcurrencyLimitError } from '../../src/metrics/concurrency-limit.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ env: behindProxy });
});

describe('many concurrent sign-ins', () => {
  it('from one office are not throttled while they succeed', async () => {
    const colleagues = await Promise.all(Array.from({ length: 40 }, () => makeAccount(app, 'staff')));
    const office = newAddress();
    const answers = await Promise.all(colleagues.map(({ email }) => login(app, email, testPassword, office)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(40).fill(200));
  });

  it('keep the server responsive, and none is lost', async () => {
    const known = await Promise.all(Array.from({ length: 15 }, () => makeAccount(app, 'staff')));
    let running = 30;
    const signIns = Array.from({ length: running }, (_, n) =>
      // Unknown accounts cost as much as known ones.
      login(app, known[n]?.email ?? `${unique('x')}@example.com`, testPassword, newAddress()).finally(() => {
        running -= 1;
      }),
    );
    const waits: number[] = [];
    while (running > 0) {
      const start = performance.now();
      const health = await app.client().get('/health');
      // Hashing and file access share a thread pool.
      await app.deps.storage.checkHealth();
      waits.push(performance.now() - start);
      expect(health.body).toEqual({ status: 'OK' });
    }
    expect(waits.length).toBeGreaterThan(8);
    expect(waits.sort((a, b) => a - b)[Math.floor(waits.length / 2)]).toBeLessThan(400);
    const statuses = (await Promise.all(signIns)).map((answer) => answer.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(15);
    expect(statuses.filter((status) => status === 401)).toHaveLength(15);
  });

  it('get 503 when too many wait', async () => {
    const hashed: Promise<string>[] = [];
    const fillQueue = () => {
      for (let free = 100 - hashingUsage().waiting; free > 0; free -= 1) hashed.push(hashPassword('x'));
    };
    fillQueue();
    await Promise.resolve();
    fillQueue();
    expect(hashingUsage()).toEqual({ running: 2, waiting: 100 });
    await expect(hashPassword('x')).rejects.toThrow(ConcurrencyLimitError);
    const filling = setInterval(fillQueue);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => login(app, `${unique('x')}@example.com`, wrongPassword, newAddress())),
    ).finally(() => clearInterval(filling));
    await Promise.all(hashed);
    const busy = answers.filter((answer) => answer.status === 503);
    expect(busy.length).toBeGreaterThan(0);
    for (const answer of busy) {
      expect(answer.body.code).toBe('BUSY');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(5 - busy.length);
  });
});

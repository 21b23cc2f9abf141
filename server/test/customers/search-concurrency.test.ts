import type { Client } from '@customer-database/testkit/client';
import { makeUser } from '@customer-database/testkit/factories';
import { countWaiting } from '@customer-database/testkit/locks';
import { createTestDatabase, startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let app: TestApp;
let staff: Client;
let blocker: pg.Client;
let observer: pg.Client;

const search = () => staff.post('/api/customers/search', { name: 'anna' });

/** No search can finish before the blocker commits. */
beforeEach(async () => {
  const databaseUrl = await createTestDatabase();
  app = await startTestApp({ databaseUrl });
  staff = (await makeUser(app, 'staff')).client;
  observer = new pg.Client(databaseUrl);
  await observer.connect();
  blocker = new pg.Client(databaseUrl);
  await blocker.connect();
  await blocker.query('begin; lock table customers in access exclusive mode');
});
afterEach(async () => {
  await blocker.end();
  await observer.end();
});

const blockedStatements = () => countWaiting(observer);
const untilBlocked = () => expect.poll(blockedStatements).toBeGreaterThan(0);

describe('More blocked searches than there are connections', () => {
  const startSearches = () => Array.from({ length: app.deps.config.databasePoolSize + 5 }, search);

  it('leave connections for everything else, and all succeed in the end', async () => {
    const searches = startSearches();
    await untilBlocked();
    // The first of these may be faster than the searches.
    for (let call = 0; call < 5; call += 1) {
      expect((await staff.get('/api/auth/verify')).status).toBe(200);
    }
    expect(await blockedStatements()).toBeLessThan(app.deps.config.databasePoolSize);
    await blocker.query('commit');
    for (const { status } of await Promise.all(searches)) expect(status).toBe(200);
  });

  it('get 503 after seconds, except those that have started', async () => {
    const searches = startSearches();
    await untilBlocked();
    const first = await Promise.race(searches);
    expect(first.status).toBe(503);
    expect(first.headers.get('retry-after')).not.toBeNull();
    await blocker.query('commit');
    const statuses = (await Promise.all(searches)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect((await search()).status).toBe(200);
  });
});

describe('Twenty searches by one person at once', () => {
  it('leave room for a colleague, whose search ends while they are still running', async () => {
    const colleague = (await makeUser(app, 'staff')).client;
    const flood = Array.from({ length: 20 }, search);
    await untilBlocked();
    const { status } = await colleague.get('/api/search?q=contract&in=documents');
    expect(status).toBe(200);
    expect(await blockedStatements()).toBeGreaterThan(0);
    await blocker.query('commit');
    for (const answer of await Promise.all(flood)) expect(answer.status).toBe(200);
  });
});

import type { Client } from '@customer-database/testkit/client';
import { makeUser } from '@customer-database/testkit/factories';
import { countWaiting } from '@customer-database/testkit/locks';
import { createTestDatabase, startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let app: TestApp;
let staff: Client;
let blocker: pg.Client;
let onlooker: pg.Client;

const search = () => staff.post('/api/customers/search', { name: 'anna' });

/** No search gets to an end until the blocker does. */
beforeEach(async () => {
  const databaseUrl = await createTestDatabase();
  app = await startTestApp({ databaseUrl });
  staff = (await makeUser(app, 'staff')).client;
  onlooker = new pg.Client(databaseUrl);
  await onlooker.connect();
  blocker = new pg.Client(databaseUrl);
  await blocker.connect();
  await blocker.query('begin; lock table customers in access exclusive mode');
});
afterEach(async () => {
  await blocker.end();
  await onlooker.end();
});

const blockedStatements = () => countWaiting(onlooker);
const untilBlocked = () => expect.poll(blockedStatements).toBeGreaterThan(0);

describe('More searches than there are connections, none of which gets on,', () => {
  const startSearches = () => Array.from({ length: app.deps.config.databasePoolSize + 5 }, search);

  it('leave connections for everything else, and are all answered in the end', async () => {
    const searches = startSearches();
    await untilBlocked();
    // The first of these may be quicker than the searches.
    for (let call = 0; call < 5; call += 1) {
      expect((await staff.get('/api/auth/verify')).status).toBe(200);
    }
    expect(await blockedStatements()).toBeLessThan(app.deps.config.databasePoolSize);
    await blocker.query('commit');
    for (const { status } of await Promise.all(searches)) expect(status).toBe(200);
  });

  it('are told to come back after seconds, but for those that have begun', async () => {
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

import { Socket } from 'node:net';
import { createTestDatabase } from '@customer-database/testkit/test-app';
import { afterEach, expect, it, vi } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { createPool } from '../../src/db/client.ts';
import { withOwnConnection } from '../../src/db/own-connection.ts';

afterEach(() => vi.restoreAllMocks());

it.each([
  ['of the pool', (pool: ReturnType<typeof createPool>) => pool.query('select 1')],
  [
    'outside of the pool',
    (pool: ReturnType<typeof createPool>) =>
      withOwnConnection(pool, ({ client }) => client.query('select 1')),
  ],
])('A connection %s to the database uses TCP keep-alive', async (_whose, use) => {
  const setKeepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
  const pool = createPool(await createTestDatabase(), 2, createLog('silent'));
  // The test's own helpers do not enable it.
  expect(setKeepAlive).not.toHaveBeenCalled();
  await use(pool);
  await pool.end();
  expect(setKeepAlive.mock.calls).toEqual([[true, 30_000]]);
});

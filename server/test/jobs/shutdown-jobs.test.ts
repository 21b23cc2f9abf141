import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enqueueScheduled } from '@customer-database/testkit/jobs';
import { untilWaiting } from '@customer-database/testkit/locks';
import { createTestDatabase } from '@customer-database/testkit/test-app';
import { afterAll, expect, it } from 'vitest';
import { readConfig } from '../../src/core/config.ts';
import { createLog } from '../../src/core/log.ts';
import { createDatabase, createPool } from '../../src/db/client.ts';
import { isBackupRunning } from '../../src/db/maintenance-lock.ts';
import { startServer } from '../../src/start/server.ts';

const log = createLog('silent');
const folder = await mkdtemp(join(tmpdir(), 'stopping-jobs-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

it('A server that is shutting down aborts a backup at once, and still runs quick jobs until the end', async () => {
  const databaseUrl = await createTestDatabase();
  const pool = createPool(databaseUrl, 5, log);
  const db = createDatabase(pool);
  const stopping = new AbortController();
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: '0', BACKUP_TO: join(folder, 'backups') };
  const server = await startServer(readConfig(env), log, {
    stopping: stopping.signal,
    prepare: async () => undefined,
    onDatabaseLost: () => undefined,
  });

  // The backup blocks at this table, and no other job does.
  const holding = await pool.connect();
  await holding.query('begin; lock table recovery_codes in access exclusive mode');
  await enqueueScheduled(db, 'backup-if-due');
  await untilWaiting(pool, 1);
  expect(await isBackupRunning(db)).toBe(true);
  stopping.abort();
  await holding.query('commit');
  holding.release();
  await expect.poll(() => isBackupRunning(db), { timeout: 10_000 }).toBe(false);
  const { rows } = await pool.query(`select action from activity where action like 'backup.%'`);
  expect(rows).toEqual([]);

  await pool.query(`insert into throttles values ('old', 1, '2020-01-01', '2020-01-01')`);
  await enqueueScheduled(db, 'delete-expired');
  const left = async () => (await pool.query('select key from throttles')).rows;
  await expect.poll(left, { timeout: 10_000 }).toEqual([]);
  await server.stop();
  await pool.end();
}, 60_000);

import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { makeBackupOf, temporaryFolder } from '@customer-database/testkit/backups';
import { makeCustomer, makeDocument, makeUser } from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { backUpIfDue, checkIfDue } from '../../src/backup/schedule.ts';
import { systemContext } from '../../src/core/context.ts';
import { takeMaintenanceLock } from '../../src/db/maintenance-lock.ts';
import { recordActivity } from '../../src/modules/activity/commands.ts';

let app: TestApp;
let folder: string;

async function start(env: Record<string, string>): Promise<void> {
  folder = join(await temporaryFolder(), 'backups');
  app = await startTestApp({ env: { TIME_ZONE: 'Europe/Berlin', BACKUP_TO: folder, ...env } });
  const admin = await makeUser(app, 'admin');
  const { id } = await makeCustomer(admin.client);
  await makeDocument(admin.client, id);
}

afterEach(() => app.close());

const backUp = () => backUpIfDue(app.deps);

async function made(): Promise<number> {
  return (await readdir(join(folder, 'backups')).catch(() => [])).length;
}

async function countOf(action: string): Promise<number> {
  const { rows } = await app.pool.query('select count(*)::int as count from activity where action = $1', [
    action,
  ]);
  return rows[0].count;
}

async function reasonsOf(action: string): Promise<string[]> {
  const { rows } = await app.pool.query('select detail from activity where action = $1', [action]);
  return rows.map(({ detail }) => detail.reason);
}

describe('A scheduled backup', () => {
  beforeEach(() => start({ BACKUP_AT: '02:00', BACKUP_KEEP: '2' }));

  it('is made at once where there is none, then once a day at its time', async () => {
    app.clock.set('2026-06-10T12:00:00Z');
    await backUp();
    expect(await made()).toBe(1);
    await backUp();
    // Two o'clock in Berlin is midnight in UTC.
    app.clock.set('2026-06-10T23:59:00Z');
    await backUp();
    expect(await countOf('backup.completed')).toBe(1);
    app.clock.set('2026-06-11T00:01:00Z');
    await backUp();
    await backUp();
    expect(await countOf('backup.completed')).toBe(2);
    // After days without a run, one backup makes up for all.
    app.clock.set('2026-06-15T09:00:00Z');
    await backUp();
    await backUp();
    expect(await countOf('backup.completed')).toBe(3);
    expect(await made()).toBe(2);
  });

  it('that fails is logged, and retried an hour later', async () => {
    app.clock.set('2026-06-10T12:00:00Z');
    await writeFile(folder, 'not a folder');
    await backUp();
    await backUp();
    expect(await countOf('backup.failed')).toBe(1);
    expect(app.logs()).toContain('the backup failed');
    await rm(folder);
    app.clock.set('2026-06-10T12:59:00Z');
    await backUp();
    expect(await made()).toBe(0);
    app.clock.set('2026-06-10T13:01:00Z');
    await backUp();
    expect(await made()).toBe(1);
  });

  it('is made even if there is a backup in another place', async () => {
    app.clock.set('2026-06-10T12:00:00Z');
    await makeBackupOf(app, await temporaryFolder());
    await backUp();
    expect(await made()).toBe(1);
    // A manual one in the same place counts.
    app.clock.set('2026-06-11T12:00:00Z');
    await makeBackupOf(app, folder);
    await backUp();
    expect(await made()).toBe(2);
  });

  it('is skipped while another one runs', async () => {
    const other = await app.pool.connect();
    await other.query('begin');
    await takeMaintenanceLock(other, 'backup');
    await backUp();
    other.release(true);
    expect([await countOf('backup.completed'), await countOf('backup.failed')]).toEqual([0, 0]);
  });

  it('that a shutdown interrupts is made later', async () => {
    await backUpIfDue({ ...app.deps, stopping: AbortSignal.abort() });
    expect([await countOf('backup.completed'), await countOf('backup.failed')]).toEqual([0, 0]);
    await backUp();
    expect(await countOf('backup.completed')).toBe(1);
  });
});

describe('A scheduled backup to an unreachable store', () => {
  it('reports why it failed, and closes its connections', async () => {
    const access = { BACKUP_S3_ACCESS_KEY_ID: 'id', BACKUP_S3_SECRET_ACCESS_KEY: 'not-the-right-one' };
    await start({ BACKUP_TO: 's3://backups', BACKUP_S3_ENDPOINT: 'http://127.0.0.1:9', ...access });
    const destroy = vi.spyOn(S3Client.prototype, 'destroy');
    await backUp();
    expect(await reasonsOf('backup.failed')).toEqual(['connect ECONNREFUSED 127.0.0.1:9']);
    expect(destroy).toHaveBeenCalledOnce();
    destroy.mockRestore();
  });
});

describe('Without BACKUP_TO', () => {
  it('no backup is made', async () => {
    await start({ BACKUP_TO: '' });
    await backUp();
    expect(await countOf('backup.completed')).toBe(0);
  });
});

describe('A scheduled check', () => {
  const check = () => checkIfDue(app.deps);
  const checkAt = async (time: string) => {
    app.clock.set(time);
    await check();
    return countOf('check.completed');
  };

  it('waits for its first time, then runs every so many days', async () => {
    app = await startTestApp({
      env: { TIME_ZONE: 'Europe/Berlin', CHECK_AT: '04:00', CHECK_EVERY_DAYS: '7' },
    });
    expect(await checkAt('2026-06-10T12:00:00Z')).toBe(0);
    await recordActivity(systemContext(app.deps), 'sign_out', { type: 'user', id: null, label: null });
    expect(await checkAt('2026-06-11T01:00:00Z')).toBe(0);
    expect(await checkAt('2026-06-17T02:01:00Z')).toBe(1);
    expect(await checkAt('2026-06-23T03:00:00Z')).toBe(1);
    expect(await checkAt('2026-06-24T02:01:00Z')).toBe(2);
    expect(await checkAt('2026-06-24T03:00:00Z')).toBe(2);
  });

  it('runs once, however many servers there are', async () => {
    await start({ CHECK_EVERY_DAYS: '1' });
    app.clock.advance(48 * 3_600_000);
    const other = await app.pool.connect();
    await other.query('begin');
    await takeMaintenanceLock(other, 'check');
    await check();
    expect(await countOf('check.completed')).toBe(0);
    other.release(true);
    await check();
    expect(await countOf('check.completed')).toBe(1);
  });

  it('logs what it finds', async () => {
    await start({ CHECK_EVERY_DAYS: '1' });
    const { rows } = await app.pool.query('select storage_key from documents');
    const [{ storage_key }] = rows;
    const file = join(app.deps.config.dataDir, 'objects', storage_key);
    const bytes = await readFile(file);
    bytes.writeUInt8(bytes.readUInt8(9) ^ 1, 9);
    await writeFile(file, bytes);
    app.clock.advance(48 * 3_600_000);
    await check();
    expect(app.logs()).toMatch(/"kind":"damaged".*the check found a problem/);
    await app.deps.storage.delete(storage_key);
    app.clock.advance(48 * 3_600_000);
    await check();
    expect(app.logs()).toMatch(/"kind":"missing".*the check found a problem/);
  });

  it('that cannot finish is logged, and retried an hour later', async () => {
    await start({ CHECK_EVERY_DAYS: '1' });
    const objects = join(app.deps.config.dataDir, 'objects');
    await rename(objects, `${objects}-away`);
    app.clock.advance(48 * 3_600_000);
    await check();
    await check();
    expect(await reasonsOf('check.failed')).toEqual([expect.stringMatching(/^ENOENT: .*objects/)]);
    await rename(`${objects}-away`, objects);
    app.clock.advance(59 * 60_000);
    await check();
    expect(await countOf('check.completed')).toBe(0);
    app.clock.advance(2 * 60_000);
    await check();
    expect(await countOf('check.completed')).toBe(1);
  });

  it('that a shutdown interrupts is made later', async () => {
    await start({ CHECK_EVERY_DAYS: '1' });
    app.clock.advance(48 * 3_600_000);
    await checkIfDue({ ...app.deps, stopping: AbortSignal.abort() });
    expect([await countOf('check.completed'), await countOf('check.failed')]).toEqual([0, 0]);
  });

  it('never runs when it is switched off', async () => {
    await start({ CHECK_EVERY_DAYS: '0' });
    app.clock.advance(100 * 24 * 3_600_000);
    await check();
    expect(await countOf('check.completed')).toBe(0);
  });
});

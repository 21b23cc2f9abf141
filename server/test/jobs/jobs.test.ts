import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Document } from '@customer-database/contract/documents';
import { download, storageKeyOf, storedKeys } from '@customer-database/testkit/documents';
import {
  aPdf,
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
} from '@customer-database/testkit/factories';
import { enqueueScheduled, pendingJobs } from '@customer-database/testkit/jobs';
import { login, mfaToken, wrongPassword } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa } from '@customer-database/testkit/totp';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { deleteExpired } from '../../src/modules/accounts/delete-expired.ts';
import { sweepObjects } from '../../src/modules/documents/consistency/sweep.ts';
import { enqueueDeletion } from '../../src/modules/documents/derived/delete-object.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let app: TestApp;
let admin: TestUser;
let customerId: number;

async function start(withJobs: boolean): Promise<void> {
  app = await startTestApp({ withJobs });
  admin = await makeUser(app, 'admin');
  customerId = (await makeCustomer(admin.client)).id;
}

const untilGone = (key: string) =>
  vi.waitFor(async () => expect(await app.deps.storage.head(key)).toBeUndefined(), {
    timeout: 20_000,
    interval: 100,
  });

const deletions = async () => (await pendingJobs(app.pool)).filter(({ name }) => name === 'delete-object');

describe('A deleted document', () => {
  beforeAll(() => start(true));

  it('loses its object, and no other does', async () => {
    const bytes = aPdf('Stays');
    const stays = await makeDocument(admin.client, customerId, {}, bytes);
    const goes = await makeDocument(admin.client, customerId);
    const key = await storageKeyOf(app, goes.id);
    expect(await app.deps.storage.head(key)).toMatchObject({ size: goes.file_size });
    await admin.client.delete(`/api/documents/${goes.id}`);
    await untilGone(key);
    expect((await download(admin.client, stays.id)).equals(bytes)).toBe(true);
    await vi.waitFor(async () => expect(await deletions()).toEqual([]), 10_000);
  });

  it('loses its object also when the storage is down at first: the job is retried', async () => {
    const folder = join(app.deps.config.dataDir, 'objects');
    const { id } = await makeDocument(admin.client, customerId);
    const key = await storageKeyOf(app, id);
    await rename(folder, `${folder}-away`);
    expect((await admin.client.delete(`/api/documents/${id}`)).status).toBe(200);
    await vi.waitFor(
      async () => {
        expect(await deletions()).toMatchObject([
          { attempts: 1, lastError: expect.stringMatching(/folder/) },
        ]);
      },
      { timeout: 10_000, interval: 100 },
    );
    await rename(`${folder}-away`, folder);
    expect(await app.deps.storage.head(key)).toBeDefined();
    await untilGone(key);
    await vi.waitFor(async () => expect(await deletions()).toEqual([]), 10_000);
  });

  it('can be one of many deleted at once, more than there are connections', async () => {
    const documents: Document[] = [];
    for (let count = 0; count < 30; count += 1) documents.push(await makeDocument(admin.client, customerId));
    const keys = await Promise.all(documents.map(({ id }) => storageKeyOf(app, id)));
    const answers = await Promise.all(documents.map(({ id }) => admin.client.delete(`/api/documents/${id}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const key of keys) await untilGone(key);
  });

  it('whose object is already gone is no failure', async () => {
    const { id } = await makeDocument(admin.client, customerId);
    await app.deps.storage.delete(await storageKeyOf(app, id));
    await admin.client.delete(`/api/documents/${id}`);
    await vi.waitFor(async () => expect(await deletions()).toEqual([]), { timeout: 10_000 });
  });
});

describe('The queue', () => {
  beforeAll(() => start(true));

  it('has a schedule for sweeping, cleaning up, backups, checks, texts, previews and words', async () => {
    const { rows } = await app.pool.query('select name from pgboss.schedule order by 1');
    expect(rows.map(({ name }) => name)).toEqual([
      'backup-if-due',
      'check-if-due',
      'collect-words',
      'delete-expired',
      'extract-texts',
      'forget-words',
      'forward-activity',
      'make-previews',
      'prepare-words',
      'read-pictures',
      'report-unusual-reading',
      'sweep-objects',
    ]);
  });

  it('runs enqueued jobs: sweeping and cleaning up', async () => {
    const orphan = `documents/2026/01/${randomUUID()}`;
    await app.deps.storage.put(orphan, Buffer.from('left behind'));
    await login(app, admin.email, wrongPassword);
    expect((await app.pool.query('select key from throttles')).rows).not.toEqual([]);
    app.clock.advance(25 * hour);
    await enqueueScheduled(app.deps.db, 'sweep-objects');
    await enqueueScheduled(app.deps.db, 'delete-expired');
    await untilGone(orphan);
    await vi.waitFor(async () => {
      expect((await app.pool.query('select key from throttles')).rows).toEqual([]);
    }, 10_000);
  });
});

describe('A job of a server', () => {
  beforeAll(() => start(true));

  it('that died is done by another one', async () => {
    const orphan = `documents/2026/01/${randomUUID()}`;
    await app.deps.storage.put(orphan, Buffer.from('still there'));
    await app.pool.query(
      `insert into pgboss.job (name, data, state, started_on, heartbeat_on, heartbeat_seconds, retry_limit)
       values ('delete-object', $1, 'active', now() - interval '1 hour', now() - interval '31 seconds', 30, 1)`,
      [{ storage_key: orphan }],
    );
    await untilGone(orphan);
  });

  it('that works for long stays with it', async () => {
    const { storage } = app.deps;
    const remove = storage.delete.bind(storage);
    const working = Promise.withResolvers<void>();
    let runs = 0;
    storage.delete = () => {
      runs += 1;
      return working.promise;
    };
    await enqueueDeletion(app.deps.db, 'documents/slow');
    await vi.waitFor(() => expect(runs).toBe(1), { timeout: 10_000 });
    await app.pool.query(
      `update pgboss.job set heartbeat_on = now() - interval '29 seconds' where state = 'active'`,
    );
    await vi.waitFor(
      async () => {
        const { rows } = await app.pool.query(
          `select 1 from pgboss.job where state = 'active' and heartbeat_on > now() - interval '10 seconds'`,
        );
        expect(rows).toHaveLength(1);
      },
      { timeout: 15_000, interval: 500 },
    );
    storage.delete = remove;
    working.resolve();
    await vi.waitFor(async () => expect(await deletions()).toEqual([]), { timeout: 10_000 });
    expect(runs).toBe(1);
  });
});

describe('The sweep', () => {
  beforeAll(() => start(false));

  it('removes objects without a document that are older than a day, and keeps the rest', async () => {
    const document = await makeDocument(admin.client, customerId, {}, aPdf('Known'));
    const known = await storageKeyOf(app, document.id);
    // More than one batch.
    const orphans = Array.from({ length: 510 }, () => `documents/2026/01/${randomUUID()}`);
    for (let at = 0; at < orphans.length; at += 30) {
      const some = orphans.slice(at, at + 30);
      await Promise.all(some.map((key) => app.deps.storage.put(key, Buffer.from('left behind'))));
    }
    await app.deps.storage.put('backups/yesterday', Buffer.from('not a document'));
    app.clock.advance(23 * hour);
    expect(await sweepObjects(app.deps)).toBe(0);
    expect(await storedKeys(app)).toHaveLength(orphans.length + 2);
    app.clock.advance(2 * hour);
    expect(await sweepObjects(app.deps)).toBe(orphans.length);
    expect(await storedKeys(app)).toEqual(['backups/yesterday', known].sort());
    const reader = await makeUser(app, 'staff');
    expect((await download(reader.client, document.id)).equals(aPdf('Known'))).toBe(true);
    expect(await sweepObjects(app.deps)).toBe(0);
  });

  it('removes nothing without storage or without database', async () => {
    const orphan = `documents/2026/01/${randomUUID()}`;
    await app.deps.storage.put(orphan, Buffer.from('left behind'));
    app.clock.advance(2 * day);
    await app.pool.query('alter table documents rename to documents_away');
    await expect(sweepObjects(app.deps)).rejects.toThrow();
    await app.pool.query('alter table documents_away rename to documents');
    const folder = join(app.deps.config.dataDir, 'objects');
    await rename(folder, `${folder}-away`);
    await expect(sweepObjects(app.deps)).rejects.toThrow('document folder cannot be used');
    await rename(`${folder}-away`, folder);
    expect(await app.deps.storage.head(orphan)).toBeDefined();
    expect(await sweepObjects(app.deps)).toBe(1);
  });

  it('stops at a shutdown, and continues the next time', async () => {
    const orphans = Array.from({ length: 3 }, () => `documents/2026/01/${randomUUID()}`);
    for (const key of orphans) await app.deps.storage.put(key, Buffer.from('left behind'));
    app.clock.advance(2 * day);
    const aborting = new AbortController();
    const { storage } = app.deps;
    const remove = (key: string) => {
      aborting.abort();
      return storage.delete(key);
    };
    const deps = { ...app.deps, stopping: aborting.signal, storage: { ...storage, delete: remove } };
    expect(await sweepObjects(deps)).toBe(1);
    expect(await sweepObjects(deps)).toBe(0);
    expect(await sweepObjects(app.deps)).toBe(2);
  });
});

describe('The clean-up of expired data removes', () => {
  beforeAll(() => start(false));

  const count = async (table: 'sessions' | 'mfa_challenges' | 'throttles') =>
    (await app.pool.query(`select count(*)::int as count from ${table}`)).rows[0].count;

  it('failed sign-ins after an hour, when they no longer count', async () => {
    await login(app, admin.email, wrongPassword);
    const failures = await count('throttles');
    expect(failures).toBeGreaterThan(0);
    app.clock.advance(59 * minute);
    await deleteExpired(app.deps);
    expect(await count('throttles')).toBe(failures);
    app.clock.advance(2 * minute);
    await deleteExpired(app.deps);
    expect(await count('throttles')).toBe(0);
  });

  it('MFA challenges when they expire', async () => {
    const user = await makeUser(app, 'staff');
    await enableMfa(app, user);
    await mfaToken(app, user.email);
    await deleteExpired(app.deps);
    expect(await count('mfa_challenges')).toBe(1);
    app.clock.advance(6 * minute);
    await deleteExpired(app.deps);
    expect(await count('mfa_challenges')).toBe(0);
  });

  it('sessions that have ended, a month after they began, and never an active one', async () => {
    const signedOut = await makeUser(app, 'staff');
    await signedOut.client.post('/api/auth/logout');
    const before = await count('sessions');
    await deleteExpired(app.deps);
    expect(await count('sessions')).toBe(before);
    app.clock.advance(31 * day);
    const current = await makeUser(app, 'staff');
    await deleteExpired(app.deps);
    expect(await count('sessions')).toBe(1);
    expect((await current.client.get('/api/auth/verify')).status).toBe(200);
  });
});

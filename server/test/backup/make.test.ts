import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  backUp,
  type Filled,
  filledApp,
  makeBackupOf,
  placeIn,
  problemsOf,
  temporaryFolder,
} from '@customer-database/testkit/backups';
import { download, storageKeyOf } from '@customer-database/testkit/documents';
import { aPdf, makeCustomer, makeDocument, makeUser } from '@customer-database/testkit/factories';
import { makeJobsDue } from '@customer-database/testkit/jobs';
import { startTestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { isUnfinished, listBackups } from '../../src/backup/catalogue.ts';
import { backedUpTables, tablesLeftOut } from '../../src/backup/layout.ts';
import { takeMaintenanceLock } from '../../src/db/maintenance-lock.ts';

describe('A backup', () => {
  let filled: Filled;
  let folder: string;

  beforeAll(async () => {
    filled = await filledApp();
    folder = await temporaryFolder();
  });

  it('contains every table that is not excluded', async () => {
    const { rows } = await filled.app.pool.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
    );
    const listed = [...backedUpTables, ...tablesLeftOut].sort();
    expect(listed, 'each table is in one of the lists of backup/layout.ts').toEqual(
      rows.map(({ name }) => name),
    );
  });

  it('is made by the command line, which says what is in it', async () => {
    const { code, output } = await backUp(filled.app, [folder]);
    expect(output).toMatch(/^Backup \S+ is complete: 2 customers, 4 documents \(\S+ MB\), 2 users\./);
    // Two documents have the same bytes.
    expect(output).toContain('3 documents (');
    expect(code).toBe(0);
    expect(await problemsOf(folder)).toEqual([]);
  });

  it('is readable only by its owner, and does not contain a key from the settings', async () => {
    const [id = ''] = await readdir(join(folder, 'backups'));
    const manifest = join(folder, 'backups', id, 'manifest.json');
    expect((await stat(manifest)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'backups', id))).mode & 0o777).toBe(0o700);
    expect(await readFile(manifest, 'utf8')).not.toContain(filled.app.deps.config.secretKey);
    expect(existsSync(join(folder, 'backups', id, 'secret.key'))).toBe(false);
  });

  it('is shown on the dashboard and logged as activity', async () => {
    const { body } = await filled.admin.client.get('/api/dashboard');
    expect(body.last_backup_at).not.toBeNull();
    const { rows } = await filled.app.pool.query(
      "select actor_label, subject_label, detail from activity where action = 'backup.completed'",
    );
    expect(rows).toEqual([
      {
        actor_label: expect.stringMatching(/^command line/),
        subject_label: expect.stringMatching(/^\d{4}-/),
        detail: { place: folder, documents: 4, unreadable: 0 },
      },
    ]);
  });

  it('copies only documents that the place lacks', async () => {
    const { newObjects: none } = await makeBackupOf(filled.app, folder);
    expect(none).toBe(0);
    await makeDocument(filled.admin.client, filled.customerId, {}, aPdf('new since then'));
    const { newObjects: one } = await makeBackupOf(filled.app, folder);
    expect(one).toBe(1);
    expect(await problemsOf(folder)).toEqual([]);
  });

  it('copies again what the place has lost', async () => {
    const [first = ''] = await readdir(join(folder, 'objects'));
    await rm(join(folder, 'objects', first), { recursive: true });
    expect(await problemsOf(folder)).not.toEqual([]);
    await makeBackupOf(filled.app, folder);
    expect(await problemsOf(folder)).toEqual([]);
  });

  it('is refused while another one runs', async () => {
    const client = await filled.app.pool.connect();
    await client.query('begin');
    expect(await takeMaintenanceLock(client, 'backup')).toBe(true);
    const { code, stderr } = await backUp(filled.app, [folder]);
    client.release(true);
    expect(stderr).toContain('Another backup is running');
    expect(code).toBe(1);
  });

  it('that was interrupted is listed as incomplete, and removed by the next one with --keep', async () => {
    const stopping = new AbortController();
    const broken = makeBackupOf(filled.app, folder, {
      signal: stopping.signal,
      show: () => stopping.abort(),
    });
    await expect(broken).rejects.toThrow();
    const storage = await placeIn(folder);
    expect((await listBackups(storage)).filter(isUnfinished)).toHaveLength(1);
    expect(await problemsOf(folder)).toEqual([]);
    await makeBackupOf(filled.app, folder, { keep: 2 });
    const left = await listBackups(storage);
    expect(left).toHaveLength(2);
    expect(left.filter(isUnfinished)).toEqual([]);
    expect(await problemsOf(folder)).toEqual([]);
  });

  it('that is the last to need a document removes its bytes with itself', async () => {
    const place = await temporaryFolder();
    const { id } = await makeDocument(filled.admin.client, filled.customerId, {}, aPdf('soon gone'));
    await makeBackupOf(filled.app, place);
    await filled.admin.client.delete(`/api/documents/${id}`);
    const storage = await placeIn(place);
    const count = async () => {
      let objects = 0;
      for await (const _object of storage.list('objects/')) objects += 1;
      return objects;
    };
    const before = await count();
    await makeBackupOf(filled.app, place, { keep: 2 });
    expect(await count()).toBe(before);
    await makeBackupOf(filled.app, place, { keep: 1 });
    expect(await count()).toBeLessThan(before);
    expect(await problemsOf(place)).toEqual([]);
  });

  it('with a damaged document contains all the others, and says so', async () => {
    const [id = 0] = filled.documents.keys();
    const path = join(filled.app.deps.config.dataDir, 'objects', await storageKeyOf(filled.app, id));
    const bytes = await readFile(path);
    await writeFile(path, Buffer.alloc(bytes.length));
    const place = await temporaryFolder();
    const { code, output } = await backUp(filled.app, [place]);
    await writeFile(path, bytes);
    expect(output).toContain('1 document could not be read: not in the backup.');
    expect(code).toBe(1);
    expect(await problemsOf(place)).toEqual([]);
  });

  it.each([
    [['verify'], 'Name the backup target, or set BACKUP_TO'],
    [['verify', '/nowhere/at/all'], 'There is no folder /nowhere/at/all'],
    [
      ['list', 's3://UPPER/x'],
      's3://UPPER/x is not a backup target such as s3://bucket or s3://bucket/folder',
    ],
    [['/tmp/x', '--keep', '0'], '--keep needs a number from 1 to 400'],
    [['/tmp/x', '--keep', '401'], '--keep needs a number from 1 to 400'],
    [['lst'], 'There is no folder lst. To create it: ./lst'],
    [['/tmp/x', 'surplus'], 'Unexpected argument: surplus'],
  ])('with wrong arguments (%s) says what is wrong', async (args, text) => {
    const { code, stderr } = await backUp(filled.app, args);
    expect(stderr).toContain(text);
    expect(code).toBe(1);
  });
});

describe('While a backup is being made', () => {
  it('people keep working, and it is one consistent snapshot', async () => {
    const app = await startTestApp({ withJobs: true });
    const admin = await makeUser(app, 'admin');
    const { id: customerId } = await makeCustomer(admin.client);
    const first = [];
    for (let index = 0; index < 12; index += 1) {
      first.push(await makeDocument(admin.client, customerId, {}, aPdf(`before ${index}`)));
    }
    const folder = await temporaryFolder();
    let isRunning = true;
    const work = (async () => {
      for (let index = 0; isRunning; index += 1) {
        await makeDocument(admin.client, customerId, {}, aPdf(`meanwhile ${index}`));
        const gone = first.pop();
        if (gone) expect((await admin.client.delete(`/api/documents/${gone.id}`)).status).toBe(200);
      }
    })();
    for (let round = 0; round < 3; round += 1) await makeBackupOf(app, folder);
    isRunning = false;
    await work;
    expect(await problemsOf(folder)).toEqual([]);
    expect((await backUp(app, [folder])).output).toMatch(/: 1 customer, \d+ documents \(\S+ MB\), 1 user\./);
    for (const { id } of first) expect((await download(admin.client, id)).length).toBeGreaterThan(0);
  });

  it('the object of a deleted document stays until the end', async () => {
    const app = await startTestApp({ withJobs: true });
    const admin = await makeUser(app, 'admin');
    const { id: customerId } = await makeCustomer(admin.client);
    const { id } = await makeDocument(admin.client, customerId);
    const key = await storageKeyOf(app, id);
    const backup = await app.pool.connect();
    await backup.query('begin');
    expect(await takeMaintenanceLock(backup, 'backup')).toBe(true);
    await admin.client.delete(`/api/documents/${id}`);
    const waiting = () =>
      app.pool.query(
        `select start_after > now() + interval '30 seconds' as later from pgboss.job where state = 'created'`,
      );
    await vi.waitFor(async () => expect((await waiting()).rows).toEqual([{ later: true }]), 10_000);
    expect(await app.deps.storage.head(key)).toBeDefined();
    backup.release(true);
    await makeJobsDue(app.pool);
    await vi.waitFor(async () => expect(await app.deps.storage.head(key)).toBeUndefined(), 10_000);
  });
});

import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settingsOf } from '@customer-database/testkit/admin';
import {
  backUp,
  emptyInstallation,
  type Filled,
  filledApp,
  makeBackupOf,
  placeIn,
  problemsOf,
  restore,
  temporaryFolder,
} from '@customer-database/testkit/backups';
import { storageKeyOf } from '@customer-database/testkit/documents';
import { aPdf, makeDocument } from '@customer-database/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';
import { listBackups } from '../../src/backup/catalogue.ts';
import { folderOf, objectKeyOf } from '../../src/backup/layout.ts';
import { removeOldBackups } from '../../src/backup/remove.ts';
import { takeSnapshot } from '../../src/backup/snapshot.ts';
import { createFolderStorage } from '../../src/storage/folder.ts';

let filled: Filled;
let folder: string;

beforeEach(async () => {
  filled = await filledApp();
  folder = await temporaryFolder();
});

const signal = new AbortController().signal;

async function objectsIn(place: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of (await placeIn(place)).list('objects/')) keys.push(key);
  return keys;
}

/** Adds a document for the duration of the work; afterwards only backups have it. */
async function withTemporaryDocument(work: () => Promise<unknown>): Promise<void> {
  const { id } = await makeDocument(filled.admin.client, filled.customerId, {}, aPdf('soon gone'));
  await work();
  await filled.admin.client.delete(`/api/documents/${id}`);
}

describe('The removal of old backups', () => {
  it.each([
    ['before anything', 1],
    ['before the objects', 2],
  ])('stops when its lock is lost %s, and leaves a consistent place', async (_when, lostAt) => {
    await withTemporaryDocument(() => makeBackupOf(filled.app, folder));
    const { manifest: newest } = await makeBackupOf(filled.app, folder);
    const before = await objectsIn(folder);
    let asked = 0;
    const confirmLock = async () => {
      asked += 1;
      if (asked >= lostAt) throw new Error('the lock is lost');
    };
    const place = await createFolderStorage(folder, { removeEmptyFolders: true });
    const removal = removeOldBackups(place, { newest, keep: 1, signal, confirmLock });
    await expect(removal).rejects.toThrow('the lock is lost');
    expect(await objectsIn(folder)).toEqual(before);
    expect(await problemsOf(folder)).toEqual([]);
    await makeBackupOf(filled.app, folder, { keep: 1 });
    expect(await objectsIn(folder)).toHaveLength(before.length - 1);
    expect(await listBackups(await placeIn(folder))).toHaveLength(1);
    expect(await problemsOf(folder)).toEqual([]);
  });

  it('also removes objects that only a manually deleted backup needed', async () => {
    const place = await temporaryFolder();
    await makeBackupOf(filled.app, place);
    const wanted = await objectsIn(place);
    await withTemporaryDocument(async () => {
      const { manifest } = await makeBackupOf(filled.app, place);
      await rm(join(place, 'backups', manifest.id), { recursive: true });
    });
    expect(await objectsIn(place)).toHaveLength(wanted.length + 1);
    await makeBackupOf(filled.app, place, { keep: 5 });
    expect((await objectsIn(place)).sort()).toEqual(wanted.sort());
    expect(await problemsOf(place)).toEqual([]);
  });

  it('keeps the new one, also when the clock was set back since the others', async () => {
    await makeBackupOf(filled.app, folder);
    filled.app.clock.advance(-3_600_000);
    const { manifest } = await makeBackupOf(filled.app, folder, { keep: 1 });
    filled.app.clock.advance(3_600_000);
    const left = await listBackups(await placeIn(folder));
    expect(left.map(({ id }) => id)).toEqual([manifest.id]);
    expect(await problemsOf(folder)).toEqual([]);
  });

  it('that fails is reported, and the new backup is complete', async () => {
    await makeBackupOf(filled.app, folder);
    const [{ id } = { id: '' }] = await listBackups(await placeIn(folder));
    await writeFile(join(folder, folderOf(id), 'manifest.json'), '{}');
    const { code, stderr } = await backUp(filled.app, [folder, '--keep', '1']);
    expect(stderr).toMatch(/Backup \S+ is complete, but older ones were kept: .*manifest.json is not what/);
    expect(code).toBe(1);
    const list = await backUp(filled.app, ['list', folder]);
    expect(list.stdout).toContain(`${id}  ${folderOf(id)}/manifest.json is not what was written`);
    expect(list.stdout.trim().split('\n')).toHaveLength(2);
  });
});

describe('A place that has lost all its backups', () => {
  it('is not filled again by the schedule, only on request', async () => {
    await makeBackupOf(filled.app, folder, { expectEarlierBackups: true });
    await makeBackupOf(filled.app, folder, { expectEarlierBackups: true });
    await rm(folder, { recursive: true });
    const scheduled = makeBackupOf(filled.app, folder, { expectEarlierBackups: true });
    await expect(scheduled).rejects.toThrow(`The backups in ${folder} are gone`);
    expect(await listBackups(await placeIn(folder))).toEqual([]);
    await makeBackupOf(filled.app, folder);
    await makeBackupOf(filled.app, folder, { expectEarlierBackups: true });
    expect(await problemsOf(folder)).toEqual([]);
  });
});

describe('A document that could not be read when a backup was made', () => {
  let path: string;
  let sha256: string;

  beforeEach(async () => {
    const [id = 0] = filled.documents.keys();
    path = join(filled.app.deps.config.dataDir, 'objects', await storageKeyOf(filled.app, id));
    const { rows } = await filled.app.pool.query(
      `select encode(sha256, 'hex') as sha256 from documents where id = $1`,
      [id],
    );
    ({ sha256 } = rows[0]);
    const bytes = filled.documents.get(id) ?? Buffer.alloc(0);
    await rm(path);
    // A symlink loop: not even root can open it.
    await symlink(path, path);
    const { manifest } = await makeBackupOf(filled.app, folder);
    expect(manifest.unreadable).toEqual([sha256]);
    await rm(path);
    await writeFile(path, bytes);
  });

  it('may be missing from that backup, but not from a later one that has it', async () => {
    expect(await problemsOf(folder)).toEqual([]);
    await makeBackupOf(filled.app, folder);
    expect(await problemsOf(folder)).toEqual([]);
    await rm(join(folder, objectKeyOf(sha256)));
    expect(await problemsOf(folder)).toEqual([
      `${objectKeyOf(sha256)} is missing or has another size than it was written with`,
    ]);
  });

  it('is restored with that backup too, once another one has copied its bytes', async () => {
    const [{ id } = { id: '' }] = await listBackups(await placeIn(folder));
    await makeBackupOf(filled.app, folder);
    const { SECRET_KEY } = settingsOf(filled.app);
    const { code, stdout } = await restore([folder, id], { ...(await emptyInstallation()), SECRET_KEY });
    expect(stdout).toContain('Every document was read again and is intact.');
    expect(code).toBe(0);
  });
});

it('The list of documents is stored in small parts, because those of all backups are read side by side', async () => {
  await filled.app.pool.query(
    `insert into documents (customer_id, filename, filename_key, mime_type, file_size, sha256, storage_key, uploaded_at)
     select $1, n || '.txt', n || '.txt', 'text/plain', 1, sha256(n::text::bytea), 'documents/2026/01/' || n, now()
     from generate_series(1, 9000) as n`,
    [filled.customerId],
  );
  const place = await createFolderStorage(folder);
  const options = { signal, show: () => undefined };
  const { documents } = await takeSnapshot(filled.app.pool, place, 'list', options);
  expect(documents.count).toBe(9_004);
  expect(documents.parts.length).toBeGreaterThan(2);
});

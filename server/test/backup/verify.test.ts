import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgramHere, settingsOf, startProgram } from '@customer-database/testkit/admin';
import {
  contentsOf,
  emptyInstallation,
  filledApp,
  makeBackupOf,
  placeIn,
  problemsOf,
  quietly,
  restore,
  temporaryFolder,
} from '@customer-database/testkit/backups';
import { fingerprintOf } from '@customer-database/testkit/fingerprint';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { verifyTarget } from '../../src/backup/verify.ts';

let app: TestApp;
let whole: string;
let older: string;
let newer: string;

beforeAll(async () => {
  ({ app } = await filledApp());
  whole = await temporaryFolder();
  older = (await makeBackupOf(app, whole)).manifest.id;
  const { config } = app.deps;
  await writeFile(join(config.dataDir, 'secret.key'), config.secretKey ?? '');
  const withStoredKey = { deps: { ...app.deps, config: { ...config, secretKey: undefined } } };
  newer = (await makeBackupOf(withStoredKey, whole)).manifest.id;
});

type Files = { place: string; backup: string; objects: string[]; part: string };

async function copyOfWhole(): Promise<Files> {
  const place = join(await temporaryFolder(), 'copy');
  await cp(whole, place, { recursive: true });
  const backup = join(place, 'backups', newer);
  const folders = await readdir(join(place, 'objects'));
  const objects = await Promise.all(
    folders.map(async (name) => {
      const folder = join(place, 'objects', name);
      return join(folder, (await readdir(folder))[0] ?? '');
    }),
  );
  return { place, backup, objects, part: join(backup, 'tables', 'customers', '00001.gz') };
}

async function flipByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  const middle = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  await writeFile(path, bytes);
}

async function shorten(path: string): Promise<void> {
  await truncate(path, (await readFile(path)).length - 1);
}

async function swap(one: string, other: string): Promise<void> {
  await rename(one, `${one}.aside`);
  await rename(other, one);
  await rename(`${one}.aside`, other);
}

const damages: [what: string, damage: (files: Files) => Promise<unknown>, named: RegExp][] = [
  [
    'a truncated table',
    ({ part }) => shorten(part),
    /tables\/customers\/00001\.gz is missing or has another/,
  ],
  [
    'a table with a flipped byte',
    ({ part }) => flipByte(part),
    /customers\/00001\.gz is not what was written/,
  ],
  ['a missing table', ({ part }) => rm(part), /customers\/00001\.gz is missing/],
  [
    'two tables that were swapped',
    ({ part, backup }) => swap(part, join(backup, 'tables', 'users', '00001.gz')),
    /00001\.gz is/,
  ],
  [
    'a table from the other backup',
    ({ place, part }) => cp(join(place, 'backups', older, 'tables', 'activity', '00001.gz'), part),
    /customers\/00001\.gz is/,
  ],
  [
    'a list of documents that was cut off',
    ({ backup }) => shorten(join(backup, 'documents', '00001.gz')),
    /documents\/00001\.gz is missing or/,
  ],
  ['another secret key', ({ backup }) => flipByte(join(backup, 'secret.key')), /secret\.key is not what/],
  ['a missing secret key', ({ backup }) => rm(join(backup, 'secret.key')), /secret\.key is missing/],
  [
    'an extra file in the backup',
    ({ backup }) => writeFile(join(backup, 'tables', 'customers', '00002.gz'), ''),
    /customers\/00002\.gz does not belong to the backup/,
  ],
  [
    'a truncated document',
    ({ objects: [path = ''] }) => shorten(path),
    /objects\/\S+ is missing or has another/,
  ],
  [
    'a document with a flipped byte',
    ({ objects: [path = ''] }) => flipByte(path),
    /objects\/\S+ is not what/,
  ],
  ['a missing document', ({ objects: [path = ''] }) => rm(path), /objects\/\S+ is missing/],
  [
    'two documents that were swapped',
    ({ objects: [one = '', other = ''] }) => swap(one, other),
    /objects\/\S+ is/,
  ],
  [
    'an extra file among the documents',
    ({ objects: [path = ''] }) => cp(path, `${path.slice(0, -1)}${path.endsWith('0') ? '1' : '0'}`),
    /objects\/\S+ does not belong to any backup/,
  ],
  [
    'a file with an unknown name among the documents',
    ({ objects: [path = ''] }) => writeFile(`${path} (copy)`, 'x'),
    /\(copy\) does not belong to any backup/,
  ],
  [
    'a file beside it all',
    ({ place }) => writeFile(join(place, 'notes.txt'), 'x'),
    /notes\.txt does not belong to any backup/,
  ],
  [
    'something that is no backup among the backups',
    ({ place }) => writeFile(join(place, 'backups', 'latest'), 'x'),
    /backups\/latest does not belong to any backup/,
  ],
  [
    'a manifest that was edited',
    ({ backup }) => flipByte(join(backup, 'manifest.json')),
    /manifest\.json is not/,
  ],
  ['a missing manifest', ({ backup }) => rm(join(backup, 'manifest.json')), /manifest\.json is missing/],
  [
    'a missing checksum of the manifest',
    ({ backup }) => rm(join(backup, 'manifest.sha256')),
    /manifest\.sha256 is missing/,
  ],
  [
    'the manifest of the other backup',
    async ({ place, backup }) => {
      for (const name of ['manifest.json', 'manifest.sha256']) {
        await cp(join(place, 'backups', older, name), join(backup, name));
      }
    },
    /manifest\.json belongs to backup/,
  ],
];

describe('The verification', () => {
  it('finds nothing wrong with an intact backup, and says what it read', async () => {
    const { code, stdout } = await startProgram('backup', ['verify', whole], {}).result;
    expect(stdout).toContain(`Backup ${older} is intact: 2 customers, 4 documents`);
    expect(stdout).toContain(`Backup ${newer} is intact`);
    expect(code).toBe(0);
  });

  it('refuses a manifest that leaves out a table', async () => {
    const { place, backup } = await copyOfWhole();
    const manifest = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8'));
    manifest.tables = manifest.tables.filter(({ name }: { name: string }) => name !== 'document_texts');
    const text = JSON.stringify(manifest);
    await writeFile(join(backup, 'manifest.json'), text);
    await writeFile(join(backup, 'manifest.sha256'), createHash('sha256').update(text).digest('hex'));
    await expect(problemsOf(place)).rejects.toThrow('manifest.json has an unknown format');
  });

  it('reads only the named backup', async () => {
    const { code, stdout } = await runProgramHere('backup', ['verify', whole, older], {});
    expect(stdout).toContain(`Backup ${older} is intact`);
    expect(stdout).not.toContain(newer);
    expect(code).toBe(0);
  });

  it.each(damages)('finds %s', async (_what, damage, named) => {
    const files = await copyOfWhole();
    await damage(files);
    expect((await problemsOf(files.place)).join('\n')).toMatch(named);
  });

  it("ignores the file system's own files", async () => {
    const { place } = await copyOfWhole();
    await mkdir(join(place, 'lost+found'));
    expect(await problemsOf(place)).toEqual([]);
  });

  it('fails on the command line and prints what it found', async () => {
    const files = await copyOfWhole();
    await flipByte(files.part);
    const { code, stderr } = await runProgramHere('backup', ['verify', files.place], {});
    expect(stderr).toContain('customers/00001.gz is not what was written');
    expect(stderr).toContain('The verification failed: do not rely on these backups.');
    expect(code).toBe(1);
  });

  it('changes nothing in the place', async () => {
    const { place } = await copyOfWhole();
    const namesOf = async () => (await readdir(place, { recursive: true })).sort();
    const before = await namesOf();
    await runProgramHere('backup', ['verify', place], {});
    expect(await namesOf()).toEqual(before);
  });
});

describe('A damaged backup', () => {
  it.each([
    ['a table', ({ part }: Files) => flipByte(part)],
    ['a document', ({ objects: [path = ''] }: Files) => flipByte(path)],
  ])('with a flipped byte in %s is not restored, and nothing changes', async (_what, damage) => {
    const files = await copyOfWhole();
    await damage(files);
    const settings = await emptyInstallation();
    const target = await startTestApp({ databaseUrl: settings.DATABASE_URL, dataDir: settings.DATA_DIR });
    const before = [await fingerprintOf(target), await contentsOf(target)];
    const { code, stderr } = await restore([files.place, newer], settings);
    expect(stderr).toContain('The backup is damaged, and nothing was restored');
    expect(code).toBe(1);
    expect([await fingerprintOf(target), await contentsOf(target)]).toEqual(before);
    await target.close();
  });
});

it('An intact backup is restored, whatever else is wrong in its place', async () => {
  const { place } = await copyOfWhole();
  await flipByte(join(place, 'backups', older, 'tables', 'customers', '00001.gz'));
  await writeFile(join(place, 'notes.txt'), 'x');
  await writeFile(join(place, 'backups', 'latest'), 'x');
  const { SECRET_KEY } = settingsOf(app);
  const settings = { ...(await emptyInstallation()), SECRET_KEY };
  const damaged = await restore([place, older], settings);
  expect(damaged.stderr).toContain('The backup is damaged, and nothing was restored');
  const { code, stderr } = await restore([place, newer], settings);
  expect([code, stderr]).toEqual([0, '']);
});

it('a verification lists only folders that exist', async () => {
  const place = await placeIn(whole);
  const list = vi.spyOn(place, 'list');
  expect((await verifyTarget(place, quietly())).problems).toEqual([]);
  const folders = await readdir(join(whole, 'objects'));
  // The backups, the whole place, and each folder of objects.
  expect(list).toHaveBeenCalledTimes(2 + folders.length);
});

import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolderStorage } from '../../src/storage/folder.ts';
import { type ObjectStorage, StorageUnavailableError } from '../../src/storage/port.ts';
import { behavesAsObjectStorage, bytesOf, expectUnavailable, newKey, objectsOf } from './storage-suite.ts';

describe('documents in a folder', () => {
  let home: string;
  let root: string;
  let storage: ObjectStorage;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'storage-'));
    root = join(home, 'not', 'yet', 'there');
    storage = await createFolderStorage(root);
  });
  afterAll(async () => {
    await storage.close();
    rmSync(home, { recursive: true });
  });

  behavesAsObjectStorage(() => storage);

  it('keeps files and folders private to its user', async () => {
    const key = newKey();
    await storage.put(key, Buffer.from('x'));
    const modeOf = (path: string) => statSync(join(root, path)).mode & 0o777;
    expect(modeOf(key)).toBe(0o600);
    for (const folder of ['', '.tmp', 'documents', join(key, '..')]) expect(modeOf(folder)).toBe(0o700);
  });

  it('leaves nothing behind when it cannot move the object into place', async () => {
    mkdirSync(join(root, 'taken', 'inside'), { recursive: true });
    await expect(storage.put('taken', Buffer.from('x'))).rejects.toBeInstanceOf(StorageUnavailableError);
    await expect(storage.put('taken/inside', Buffer.from('x'))).rejects.toBeInstanceOf(
      StorageUnavailableError,
    );
    expect(readdirSync(join(root, '.tmp'))).toEqual([]);
    expect(await storage.head('taken')).toBeUndefined();
  });

  it('keeps the old object when the new one does not fit', async () => {
    const key = newKey();
    await storage.put(key, Buffer.from('old'));
    // The file size limit makes the write fail halfway, like a full disk.
    const module = new URL('../../src/storage/folder.ts', import.meta.url).href;
    const script = `
      const { createFolderStorage } = await import(${JSON.stringify(module)});
      const storage = await createFolderStorage(${JSON.stringify(root)});
      await storage.put(${JSON.stringify(key)}, Buffer.alloc(4 * 1024 * 1024)).catch((error) => {
        process.stdout.write(error.name + ' ' + error.cause.code);
      });`;
    const shell = 'ulimit -f 1024; exec "$0" --input-type=module -e "$1"';
    const { stdout } = spawnSync('sh', ['-c', shell, process.execPath, script], { encoding: 'utf8' });
    expect(stdout).toBe('StorageUnavailableError EFBIG');
    expect((await bytesOf(await storage.get(key))).toString()).toBe('old');
    expect(readdirSync(join(root, '.tmp'))).toEqual([]);
  });

  it('removes at start what a crash left behind, but not what is being written', async () => {
    const left = (name: string) => join(root, '.tmp', name);
    const now = Date.now() / 1000;
    await writeFile(left('stale'), 'x');
    await writeFile(left('fresh'), 'x');
    utimesSync(left('stale'), now - 90_000, now - 90_000);
    await createFolderStorage(root);
    expect(existsSync(left('stale'))).toBe(false);
    expect(existsSync(left('fresh'))).toBe(true);
    rmSync(left('fresh'));
  });

  it('does not serve a truncated file as the whole object', async () => {
    const key = newKey();
    await storage.put(key, randomBytes(300_000));
    const stream = await storage.get(key);
    execFileSync('truncate', ['-s', '100000', join(root, key)]);
    await expect(bytesOf(stream)).rejects.toBeInstanceOf(StorageUnavailableError);
  });

  it('lists only possible objects', async () => {
    await writeFile(join(root, 'lost+found'), 'x');
    await writeFile(join(root, '.hidden'), 'x');
    await writeFile(join(root, '.tmp', 'draft'), 'x');
    const keys = (await objectsOf(storage, '')).map(({ key }) => key);
    expect(keys.filter((key) => /lost|hidden|draft/.test(key))).toEqual([]);
    rmSync(join(root, '.tmp', 'draft'));
  });

  it('fails when the folder is gone, and does not create a new one', async () => {
    renameSync(root, `${root}-away`);
    try {
      await expectUnavailable(storage);
      mkdirSync(root);
      await expectUnavailable(storage);
      expect(readdirSync(root)).toEqual([]);
    } finally {
      rmSync(root, { recursive: true, force: true });
      renameSync(`${root}-away`, root);
    }
  });

  it('does not treat an object as deleted when the folder comes back at that moment', async () => {
    const folder = join(home, 'coming-back');
    const storage = await createFolderStorage(folder);
    const body = Buffer.from('to be deleted');
    for (let round = 0; round < 100; round += 1) {
      const key = newKey();
      await storage.put(key, body);
      renameSync(folder, `${folder}-away`);
      const deleted = storage.delete(key).then(
        () => true,
        () => false,
      );
      for (let turn = 0; turn < round % 4; turn += 1) await new Promise(setImmediate);
      renameSync(`${folder}-away`, folder);
      if (await deleted) expect(await storage.head(key)).toBeUndefined();
      else await storage.delete(key);
    }
  });

  it('fails when a file has replaced the folder', async () => {
    const path = join(home, 'replaced');
    const replaced = await createFolderStorage(path);
    rmSync(path, { recursive: true });
    await writeFile(path, 'x');
    await expectUnavailable(replaced);
    await expect(createFolderStorage(path)).rejects.toBeInstanceOf(StorageUnavailableError);
  });
});

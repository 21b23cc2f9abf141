import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
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
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBucket } from '@customer-database/testkit/bucket';
import { openFaultyProxy } from '@customer-database/testkit/faulty-proxy';
import { type Swift, startSwift } from '@customer-database/testkit/swift';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createFolderStorage } from '../../src/storage/folder.ts';
import { type ObjectStorage, StorageUnavailableError } from '../../src/storage/port.ts';
import { createS3Storage, type S3StorageOptions } from '../../src/storage/s3.ts';
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
      await expectUnavailable(storage, 1_000);
      mkdirSync(root);
      await expectUnavailable(storage, 1_000);
      expect(readdirSync(root)).toEqual([]);
    } finally {
      rmSync(root, { recursive: true, force: true });
      renameSync(`${root}-away`, root);
    }
  });

  it('does not treat an object as deleted when the folder comes back at that moment', async () => {
    const place = join(home, 'coming-back');
    const storage = await createFolderStorage(place);
    const body = Buffer.from('to be deleted');
    for (let time = 0; time < 300; time += 1) {
      const key = newKey();
      await storage.put(key, body);
      renameSync(place, `${place}-away`);
      const deleted = storage.delete(key).then(
        () => true,
        () => false,
      );
      for (let turn = 0; turn < time % 4; turn += 1) await new Promise(setImmediate);
      renameSync(`${place}-away`, place);
      if (await deleted) expect(await storage.head(key)).toBeUndefined();
      else await storage.delete(key);
    }
  });

  it('fails when a file is in the place of the folder', async () => {
    const place = join(home, 'replaced');
    const replaced = await createFolderStorage(place);
    rmSync(place, { recursive: true });
    await writeFile(place, 'x');
    await expectUnavailable(replaced, 1_000);
    await expect(createFolderStorage(place)).rejects.toBeInstanceOf(StorageUnavailableError);
  });
});

describe.skipIf(inject('swiftLeftOut'))('documents in an S3 store', () => {
  let swift: Swift;
  let options: S3StorageOptions;
  let storage: ObjectStorage;

  beforeAll(async () => {
    swift = await startSwift();
    options = await makeBucket(swift, 'documents');
    storage = createS3Storage(options);
  }, 120_000);
  afterAll(async () => {
    await storage?.close();
    await swift?.stop();
  }, 30_000);

  behavesAsObjectStorage(() => storage);

  describe('presigned links', () => {
    const body = Buffer.from('%PDF-1.7 not really');
    const asked = {
      expiresInSeconds: 60,
      contentType: 'application/pdf',
      contentDisposition: `attachment; filename="r.pdf"; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf`,
    };
    const link = async (expiresInSeconds = asked.expiresInSeconds) => {
      const key = newKey();
      await storage.put(key, body);
      return (await storage.presign?.({ ...asked, key, expiresInSeconds })) ?? '';
    };

    it('serve the bytes with the requested type and disposition', async () => {
      const answer = await fetch(await link());
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe(asked.contentType);
      expect(answer.headers.get('content-disposition')).toBe(asked.contentDisposition);
      expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true);
    });

    it('are refused when anything in them is changed', async () => {
      const url = await link();
      const signature = new URL(url).searchParams.get('X-Amz-Signature') ?? '';
      const other = signature.startsWith('0') ? '1' : '0';
      const tampered = [
        url.replace(signature, other + signature.slice(1)),
        url.replace('attachment', 'inline'),
        url.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'),
        url.replace('/content?', '/other?'),
      ];
      for (const wrong of tampered) {
        expect(wrong).not.toBe(url);
        expect((await fetch(wrong)).status, wrong).toBe(403);
      }
      expect((await fetch(url.slice(0, url.indexOf('?')))).ok).toBe(false);
    });

    it('expire', async () => {
      const url = await link(1);
      await vi.waitFor(async () => expect((await fetch(url)).status).toBe(403), 10_000);
    });
  });

  it('does not serve a response cut in transit as the whole object', async () => {
    const key = newKey();
    await storage.put(key, randomBytes(3_000_000));
    const proxy = await openFaultyProxy(swift.endpoint);
    await proxy.set({ cut: 'answer', afterBytes: 1_000_000 });
    const through = createS3Storage({ ...options, endpoint: proxy.endpoint });
    const stream = await through.get(key);
    await expect(bytesOf(stream)).rejects.toBeInstanceOf(StorageUnavailableError);
    await through.close();
    await proxy.close();
  });

  it.each([
    ['the secret is wrong', { secretAccessKey: 'wrong' }],
    ['the bucket is missing', { bucket: 'missing' }],
    ['nobody listens', { endpoint: 'http://127.0.0.1:1' }],
  ])('fails when %s', async (_, difference) => {
    const other = createS3Storage({ ...options, ...difference });
    await expectUnavailable(other, 5_000);
    await other.close();
  });

  it("does not mistake another server's 404 for a missing object", async () => {
    const other = createHttpServer((_, answer) => answer.writeHead(404).end());
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    const astray = createS3Storage({ ...options, endpoint: `http://127.0.0.1:${port}` });
    await expectUnavailable(astray, 5_000);
    await astray.close();
    other.close();
  });

  it('times out when the store does not answer', async () => {
    const impatient = createS3Storage({ ...options, requestTimeoutMs: 500 });
    await impatient.checkHealth();
    swift.suspend();
    try {
      await expectUnavailable(impatient, 4_000);
      const patient = createS3Storage(options);
      const begun = performance.now();
      await expect(patient.checkHealth()).rejects.toBeInstanceOf(StorageUnavailableError);
      expect(performance.now() - begun).toBeLessThan(7_000);
      await patient.close();
    } finally {
      swift.resume();
    }
    await impatient.checkHealth();
    await impatient.close();
  }, 60_000);
});

import { randomBytes, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { listingPageSize } from '@customer-database/testkit/swift';
import pLimit from 'p-limit';
import { expect, it } from 'vitest';
import {
  ObjectMissingError,
  type ObjectStorage,
  StorageUnavailableError,
  type StoredObject,
} from '../../src/storage/port.ts';

const mib = 1024 * 1024;

/** Shared tests for every driver. Each test calls `open`, because the storage opens after they are declared. */
export function behavesAsObjectStorage(open: () => ObjectStorage): void {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.of(0xff)],
    ['10 MiB', randomBytes(10 * mib)],
  ])('gives back %s byte for byte', async (_, body) => {
    const key = newKey();
    await open().put(key, body);
    const read = await bytesOf(await open().get(key));
    expect(read.equals(body)).toBe(true);
  });

  it.each([
    ['first', { start: 0, end: 9 }, [0, 10]],
    ['middle', { start: 70_000, end: 140_000 }, [70_000, 140_001]],
    ['last', { start: 199_990, end: 199_999 }, [199_990, 200_000]],
    ['a single byte', { start: 123, end: 123 }, [123, 124]],
    ['all', { start: 0, end: 199_999 }, [0, 200_000]],
    ['past the end', { start: 199_990, end: 999_999 }, [199_990, 200_000]],
  ])('reads a range: %s', async (_, range, [from, to]) => {
    const key = newKey();
    const body = randomBytes(200_000);
    await open().put(key, body);
    const read = await bytesOf(await open().get(key, { range }));
    expect(read.equals(body.subarray(from, to))).toBe(true);
  });

  it('refuses a range that is unsatisfiable or malformed', async () => {
    const key = newKey();
    await open().put(key, Buffer.from('12345'));
    for (const range of [
      { start: 5, end: 6 },
      { start: 3, end: 2 },
      { start: -1, end: 2 },
      { start: 0.5, end: 2 },
    ]) {
      await expect(open().get(key, { range })).rejects.toBeInstanceOf(RangeError);
    }
  });

  it('replaces an object, also with a shorter one', async () => {
    const key = newKey();
    await open().put(key, Buffer.from('the first text'));
    await open().put(key, Buffer.from('second'));
    expect((await bytesOf(await open().get(key))).toString()).toBe('second');
    expect((await open().head(key))?.size).toBe(6);
  });

  it('never returns a mix of old and new bytes while an object is replaced', async () => {
    const key = newKey();
    const bodies = [Buffer.alloc(mib, 'a'), Buffer.alloc(mib, 'b')];
    await open().put(key, bodies[0] ?? Buffer.alloc(0));
    const writing = Promise.all(bodies.map((body) => open().put(key, body)));
    for (let round = 0; round < 5; round++) {
      const read = await bytesOf(await open().get(key));
      expect(bodies.some((body) => body.equals(read))).toBe(true);
    }
    await writing;
  });

  it('returns size and time of an object', async () => {
    const key = newKey();
    await open().put(key, Buffer.from('12345'));
    const found = await open().head(key);
    expect(found).toMatchObject({ key, size: 5 });
    expect(Math.abs(Number(found?.modifiedAt) - Date.now())).toBeLessThan(60_000);
  });

  it('does not find an object that was never stored', async () => {
    const key = newKey();
    expect(await open().head(key)).toBeUndefined();
    await expect(open().get(key)).rejects.toBeInstanceOf(ObjectMissingError);
    await expect(open().get(key, { range: { start: 0, end: 1 } })).rejects.toMatchObject({ key });
  });

  it('deletes an object, also one that is already gone', async () => {
    const key = newKey();
    await open().put(key, Buffer.from('x'));
    await open().delete(key);
    await open().delete(key);
    await open().delete(newKey());
    expect(await open().head(key)).toBeUndefined();
    await expect(open().get(key)).rejects.toBeInstanceOf(ObjectMissingError);
  });

  it('lists by key prefix', async () => {
    const base = `list-${randomUUID()}`;
    const keys = [`${base}/ab/1`, `${base}/ab/2`, `${base}/abc/3`, `${base}/b`, `${base}x/4`];
    for (const key of keys) await open().put(key, Buffer.from(key));
    const listed = async (prefix: string) => (await objectsOf(open(), prefix)).map(({ key }) => key).sort();
    expect(await listed(`${base}/`)).toEqual(keys.slice(0, 4));
    expect(await listed(`${base}/ab`)).toEqual(keys.slice(0, 3));
    expect(await listed(`${base}/ab/`)).toEqual(keys.slice(0, 2));
    expect(await listed(base)).toEqual(keys);
    expect(await listed(`${base}/none`)).toEqual([]);
    expect(await listed('')).toEqual(expect.arrayContaining(keys));
    expect(await objectsOf(open(), `${base}/b`)).toMatchObject([{ size: keys[3]?.length }]);
  });

  it('lists more objects than fit on one page', async () => {
    const base = `many-${randomUUID()}`;
    const keys = Array.from({ length: 2 * listingPageSize + 20 }, (_, index) => `${base}/${index}`);
    const limit = pLimit(8);
    await Promise.all(keys.map((key) => limit(() => open().put(key, Buffer.from('x')))));
    const found = (await objectsOf(open(), `${base}/`)).map(({ key }) => key);
    expect(found.sort()).toEqual(keys.sort());
  }, 30_000);

  it('refuses keys that this server would never generate', async () => {
    const bad = [
      '',
      '/',
      '/etc/passwd',
      'a/',
      'a//b',
      '..',
      'a/../b',
      './a',
      '.tmp/a',
      'a/.b',
      'a b',
      'a\\b',
    ];
    const worse = ['a\0b', 'ä', 'a\n', 'a?b', 'a%2e', 'x'.repeat(201), 'x/'.repeat(300).concat('x')];
    for (const key of [...bad, ...worse]) {
      await expect(open().put(key, Buffer.from('x')), key).rejects.toBeInstanceOf(TypeError);
      await expect(open().get(key), key).rejects.toBeInstanceOf(TypeError);
      await expect(open().head(key), key).rejects.toBeInstanceOf(TypeError);
      await expect(open().delete(key), key).rejects.toBeInstanceOf(TypeError);
    }
    for (const prefix of ['..', '../', '/', 'a/../b', 'a//']) {
      await expect(objectsOf(open(), prefix), prefix).rejects.toBeInstanceOf(TypeError);
    }
  });

  it('is healthy, also under concurrent checks', async () => {
    await Promise.all(Array.from({ length: 5 }, () => open().checkHealth()));
  });

  it('copes with a stream that is never read', async () => {
    const key = newKey();
    await open().put(key, randomBytes(mib));
    const stream = await open().get(key);
    stream.destroy();
    await expect(bytesOf(stream)).rejects.toThrow();
  });
}

/** Expects every operation to fail as unavailable, with its cause and before the default timeouts of the drivers. */
export async function expectUnavailable(storage: ObjectStorage): Promise<void> {
  const operations: Record<string, () => Promise<unknown>> = {
    put: () => storage.put('some/key', Buffer.from('x')),
    get: () => storage.get('some/key'),
    head: () => storage.head('some/key'),
    delete: () => storage.delete('some/key'),
    list: () => objectsOf(storage, 'some/'),
    checkHealth: () => storage.checkHealth(),
  };
  for (const [name, operation] of Object.entries(operations)) {
    const begun = performance.now();
    const error = await operation().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error, name).toBeInstanceOf(StorageUnavailableError);
    expect(error, name).toHaveProperty('cause', expect.any(Error));
    expect(performance.now() - begun, name).toBeLessThan(9_000);
  }
}

export function newKey(): string {
  return `documents/${randomUUID()}/content`;
}

export async function bytesOf(stream: Readable): Promise<Buffer> {
  return Buffer.concat(await stream.toArray());
}

export async function objectsOf(storage: ObjectStorage, prefix: string): Promise<StoredObject[]> {
  const objects: StoredObject[] = [];
  for await (const object of storage.list(prefix)) objects.push(object);
  return objects;
}

import { createHook } from 'node:async_hooks';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { cpuMsOf } from '@customer-database/testkit/cpu-time';
import {
  accepts,
  mainPart,
  relationships,
  wordParts,
  wordTypes,
} from '@customer-database/testkit/docx-parts';
import { samples } from '@customer-database/testkit/samples';
import { fields, localHeader, type ZipEntry, zip } from '@customer-database/testkit/zip-builder';
import { describe, expect, it } from 'vitest';

const mib = 1024 * 1024;

/** Also counts the inflate streams that Node created. */
async function judge(bytes: Buffer): Promise<{ accepted: boolean; inflaters: number }> {
  const made: string[] = [];
  const watch = createHook({ init: (_, type) => void made.push(type) }).enable();
  const accepted = await accepts(bytes).finally(() => watch.disable());
  return { accepted, inflaters: made.filter((type) => type === 'ZLIB').length };
}

describe('a zip that is accepted', () => {
  it.each(['\n', '\0', '\0'.repeat(512), '\r\n\x1a'])('has padding after its end: %j', async (padding) => {
    expect(await accepts(Buffer.concat([zip(wordParts), Buffer.from(padding)]))).toBe(true);
  });
});

describe('a malicious zip', () => {
  const valid = zip(wordParts);
  const bomb = deflateRawSync(Buffer.alloc(16 * mib));
  const blank = deflateRawSync(Buffer.alloc(9 * mib));
  const blankCrc = crc32(Buffer.alloc(9 * mib));
  const withEntry = (entry: ZipEntry) => zip([...wordParts, entry]);

  it.each<[string, Buffer]>([
    ['an encrypted entry', withEntry({ name: 'a', flags: 1 })],
    ['masked headers', withEntry({ name: 'a', flags: 1 << 13 })],
    ['an unusual compression method', withEntry({ name: 'a', content: 'x', method: 12 })],
    ['an absolute name', withEntry({ name: '/a' })],
    ['a drive letter', withEntry({ name: 'C:/a' })],
    ['a name that climbs', withEntry({ name: 'a/../../b' })],
    ['a backslash', withEntry({ name: 'a\\b' })],
    ['no name', withEntry({ name: '' })],
    ['the same name twice', withEntry(mainPart)],
    ['the same name in other letters', withEntry({ ...mainPart, name: 'Word/DOCUMENT.xml' })],
    ['a local header with another name', withEntry({ name: 'a', local: { name: 'b' } })],
    ['a local header with another size', withEntry({ name: 'a', content: 'x', local: { size: 2 } })],
    ['a local header with another method', withEntry({ name: 'a', content: 'x', local: { method: 0 } })],
    [
      'an absurd ratio',
      withEntry({ name: 'a', packed: bomb, claimedSize: 16 * mib, crc: crc32(Buffer.alloc(16 * mib)) }),
    ],
    [
      'more than 200 MiB in all',
      zip([
        ...wordParts,
        ...Array.from({ length: 23 }, (_, n) => ({
          name: `${n}`,
          packed: blank,
          claimedSize: 9 * mib,
          crc: blankCrc,
        })),
      ]),
    ],
    [
      'more than 5,000 entries',
      zip([...wordParts, ...Array.from({ length: 5000 }, (_, n) => ({ name: `${n}`, method: 0 }))]),
    ],
    ['zip64 sizes', withEntry({ name: 'a', extra: fields([2, 1], [2, 8], [4, 0], [4, 0]) })],
    ['a directory that lies elsewhere', zip(wordParts, { directoryOffBy: 1 })],
    ['fewer entries counted than listed', zip([...wordParts, { name: 'hidden' }], { count: 3 })],
    ['more entries counted than listed', zip(wordParts, { count: 4 })],
    ['something between directory and end', zip(wordParts, { beforeEnd: Buffer.from('gap') })],
    ['something before the first entry', zip(wordParts, { prefix: Buffer.from('MZ') })],
    ['something before it that no offset counts', Buffer.concat([Buffer.from('MZ'), valid])],
    ['something after the end', Buffer.concat([valid, Buffer.from('x')])],
    ['something in the padding after the end', Buffer.concat([valid, Buffer.from('\n\nx\n')])],
    ['endless padding', Buffer.concat([valid, Buffer.alloc(513)])],
    ['another zip before its end and padding', Buffer.concat([valid, valid, Buffer.from('\n')])],
    ['padding within its end', Buffer.concat([valid.subarray(0, -1), Buffer.from('\x01\n')])],
  ])('has %s', async (_, bytes) => {
    expect(await judge(bytes)).toEqual({ accepted: false, inflaters: 0 });
  });

  it.each<[string, Buffer]>([
    ['a wrong checksum', withEntry({ name: 'a', content: 'x', crc: 1 })],
    ['less content than claimed', withEntry({ name: 'a', content: 'x', claimedSize: 2 })],
    ['far more content than claimed', withEntry({ name: 'a', packed: bomb, claimedSize: 10 })],
    [
      'a list of types that inflates beyond its claim',
      zip([{ ...wordTypes, packed: bomb }, relationships(), mainPart]),
    ],
    ['damaged data', withEntry({ name: 'a', packed: Buffer.alloc(50, 0xff), claimedSize: 50 })],
    ['truncated data', withEntry({ name: 'a', packed: blank.subarray(0, 100), claimedSize: 9 * mib })],
  ])('has %s, found while inflating', async (_, bytes) => {
    const { accepted, inflaters } = await judge(bytes);
    expect(accepted).toBe(false);
    expect(inflaters).toBeGreaterThan(0);
  });

  it('has entries that overlap', async () => {
    const inner: ZipEntry = { name: 'inner', content: 'x', method: 0 };
    const bytes = localHeader(inner);
    const outer: ZipEntry = { name: 'outer', content: Buffer.concat([bytes, Buffer.from('x')]), method: 0 };
    const offset = zip([...wordParts, outer]).indexOf(bytes);
    expect(await accepts(zip([...wordParts, outer]))).toBe(true);
    expect(await accepts(zip([...wordParts, outer, { ...inner, offset }]))).toBe(false);
  });

  it('has a second, zip64 directory hidden in a comment', async () => {
    const bytes = withEntry({ name: 'a', comment: Buffer.alloc(76) });
    expect(await accepts(bytes)).toBe(true);
    const endRecord = bytes.length - 22;
    const directory = [4, bytes.readUInt32LE(endRecord + 16)] as [4, number];
    const count = [4, wordParts.length + 1] as [4, number];
    const none = [4, 0] as [4, number];
    const record = fields(
      [4, 0x06064b50],
      [4, 44],
      none,
      none,
      none,
      none,
      count,
      none,
      count,
      none,
      none,
      none,
      directory,
      none,
    );
    const locator = fields([4, 0x07064b50], none, [4, endRecord - 76], none, [4, 1]);
    Buffer.concat([record, locator]).copy(bytes, endRecord - 76);
    expect(await accepts(bytes)).toBe(false);
  });

  it('is not inflated beyond its claimed size', async () => {
    // A piece that does not close the stream can be repeated: 9 MB that inflate to 9 GB.
    const piece = deflateRawSync(Buffer.alloc(16 * mib), { finishFlush: constants.Z_FULL_FLUSH });
    const endless = Buffer.concat(Array<Buffer>(560).fill(piece));
    const file = withEntry({ name: 'a', packed: endless, claimedSize: 1000 });
    const cost = await cpuMsOf(async () => expect(await accepts(file)).toBe(false));
    expect(cost).toBeLessThan(2000);
  });

  it('is truncated anywhere', async () => {
    const file = samples.docx;
    expect(await accepts(file)).toBe(true);
    for (let length = 0; length < file.length; length += 1) {
      if (await accepts(file.subarray(0, length))) expect.unreachable(`accepted when cut to ${length} bytes`);
    }
  });
});

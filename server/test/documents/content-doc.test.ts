import { documentTypes } from '@customer-database/contract/documents';
import {
  type CompoundFileOptions,
  compoundFile,
  directoryEntry,
  endOfChain,
  noSector,
} from '@customer-database/testkit/compound-file';
import { samples } from '@customer-database/testkit/samples';
import { wordFile } from '@customer-database/testkit/word-files';
import { describe, expect, it } from 'vitest';
import { recogniseContent } from '../../src/modules/documents/filetypes/recognise.ts';

async function accepts(bytes: Buffer): Promise<boolean> {
  const answer = await recogniseContent({ filename: 'a.doc', mimeType: documentTypes['.doc'], bytes });
  return !('fault' in answer);
}

const root = { name: 'Root Entry', type: 5, child: 1, start: endOfChain };
const text = { name: 'WordDocument', type: 2, start: 1, size: 4096 };
const other = { name: '1Table', type: 2, start: 1, size: 4096 };

/** So large that its header cannot list the whole allocation table. */
const large = { directory: [root, { ...text, size: 8 * 1024 * 1024 }], dataSectors: 16_384 };

/** The same file in the order directory, allocation table, data. */
function withDataLast(): Buffer {
  const file = compoundFile({ directory: [root, { ...text, start: 2 }] });
  const fat = Buffer.alloc(512, 0xff);
  for (const [sector, next] of [endOfChain, endOfChain, 3, 4, 5, 6, 7, 8, 9, endOfChain].entries())
    fat.writeUInt32LE(next, sector * 4);
  file.writeUInt32LE(1, 76);
  return Buffer.concat([file.subarray(0, 1024), fat, file.subarray(1024, -512)]);
}

describe('a DOC that is accepted', () => {
  it.each<[string, CompoundFileOptions]>([
    ['one stream', { directory: [root, text] }],
    [
      'the stream deep in the tree',
      { directory: [root, { ...other, right: 2 }, { ...other, left: 3 }, text] },
    ],
    ['sectors of 4096 bytes', { sectorShift: 12, directory: [root, text] }],
    ['the mark of Word 6 and 95', { directory: [root, text], mark: 0xa5dc }],
    [
      'a short stream inside the root',
      {
        directory: [
          { ...root, start: 1, size: 4096 },
          { ...text, start: 9, size: 700 },
        ],
        markOffset: 9 * 64,
      },
    ],
    ['more sectors than the header can list', large],
    ['the stream in another case', { directory: [root, { ...text, name: 'WORDDOCUMENT' }] }],
  ])('has %s', async (_, shape) => {
    expect(await accepts(compoundFile(shape))).toBe(true);
  });

  it('was written by LibreOffice', async () => {
    expect(await accepts(samples.doc)).toBe(true);
  });

  it('is a template', async () => {
    const file = compoundFile({ directory: [root, text] });
    file.writeUInt16LE(0x0001, (1 + text.start) * 512 + 10);
    expect(await accepts(file)).toBe(true);
  });

  it('was written by Word 2, if its text is inside', async () => {
    const file = wordFile({ version: 2, runs: [{ text: Buffer.from('Text') }] });
    expect(await accepts(file)).toBe(true);
    const [version, start, end] = [2, 24, 28];
    for (const [offset, value] of [
      [version, 46],
      [start, 0],
      [start, file.readUInt32LE(end)],
      [end, file.length + 1],
    ] as const) {
      const damaged = Buffer.from(file);
      damaged.writeUInt32LE(value, offset);
      expect(await accepts(damaged), `${value} at ${offset}`).toBe(false);
    }
    expect(await accepts(file.subarray(0, 300))).toBe(false);
  });

  it('may end within its last sector, but not before', async () => {
    expect(await accepts(withDataLast().subarray(0, -100))).toBe(true);
    expect(await accepts(withDataLast().subarray(0, -512))).toBe(false);
  });
});

describe('a DOC that is refused', () => {
  it.each<[string, CompoundFileOptions]>([
    ['no Word stream', { directory: [root, { ...text, name: 'Workbook' }] }],
    ['a folder of that name', { directory: [root, { ...text, type: 1 }] }],
    ['the stream in a folder only', { directory: [root, { name: 'Object', type: 1, child: 2 }, text] }],
    ['the stream outside the tree', { directory: [root, other, text] }],
    ['a stream without the mark', { directory: [root, text], mark: 0 }],
    [
      'a stream too short for a header',
      {
        directory: [
          { ...root, start: 1 },
          { ...text, start: 0, size: 31 },
        ],
      },
    ],
    ['an empty stream', { directory: [root, { ...text, size: 0 }] }],
    ['a root of the wrong type', { directory: [{ ...root, type: 1 }, text] }],
    ['an empty tree', { directory: [{ ...root, child: noSector }, text] }],
    ['a tree that runs in a circle', { directory: [root, { ...other, left: 2 }, { ...other, left: 1 }] }],
    ['a tree that points outside', { directory: [root, { ...other, left: 4000 }, text] }],
    ['a stream longer than its chain', { directory: [root, { ...text, size: 4097 }] }],
    ['a stream that starts outside', { directory: [root, { ...text, start: 5000 }] }],
    [
      'a short stream beyond the root',
      {
        directory: [
          { ...root, start: 1 },
          { ...text, start: 64, size: 700 },
        ],
      },
    ],
    ['a sector size of another version', { directory: [root, text], version: 4 }],
    ['an unknown version', { directory: [root, text], version: 2 }],
  ])('has %s', async (_, shape) => {
    expect(await accepts(compoundFile(shape))).toBe(false);
  });

  const fatOffset = 512 * 10;

  it.each<[string, number, number]>([
    ['another signature', 0, 0xe011cfd1],
    ['another byte order', 28, 0x0009feff],
    ['another size of mini sectors', 32, 7],
    ['another limit for short streams', 56, 512],
    ['no allocation table', 44, 0],
    ['an endless allocation table', 44, 0xffffffff],
    ['a table with more sectors than listed', 44, 2],
    ['a table that lies outside', 76, 500],
    ['a directory that lies outside', 48, 500],
    ['a directory chain that runs in a circle', fatOffset, 0],
    ['a stream chain that runs in a circle', fatOffset + 8 * 4, 1],
    ['a stream chain that leads outside', fatOffset + 8 * 4, 77],
    ['a stream chain with a gap', fatOffset + 3 * 4, noSector],
  ])('has %s', async (_, offset, value) => {
    const file = compoundFile({ directory: [root, text] });
    expect(await accepts(file)).toBe(true);
    file.writeUInt32LE(value, offset);
    expect(await accepts(file)).toBe(false);
  });

  it('has a directory that ends within an entry', async () => {
    const file = withDataLast();
    const lastSector = file.length - 512;
    directoryEntry({ ...root, child: 3 }).copy(file, lastSector);
    directoryEntry({ ...text, start: 2 }).copy(file, lastSector + 3 * 128);
    file.writeUInt32LE(9, 48);
    expect(await accepts(file)).toBe(true);
    expect(await accepts(file.subarray(0, -100))).toBe(false);
  });

  it.each<[string, (file: Buffer) => void]>([
    ['is listed outside of the file', (file) => file.writeUInt32LE(60_000, 68)],
    ['does not cover the file', (file) => file.writeUInt32LE(1, 44)],
    [
      'is listed in an endless loop',
      (file) => {
        const list = file.length - 512;
        file.copy(file, list, 76, 76 + 109 * 4);
        file.copy(file, list + 109 * 4, 76, 76 + 18 * 4);
        file.writeUInt32LE(file.readUInt32LE(68), file.length - 4);
        file.writeUInt32LE(0xffffffff, 44);
      },
    ],
  ])('is large, with an allocation table that %s', async (_, damage) => {
    const file = compoundFile(large);
    expect(await accepts(file.subarray(0, -1))).toBe(false);
    damage(file);
    expect(await accepts(file)).toBe(false);
  });

  it('is truncated anywhere', async () => {
    const file = compoundFile({ directory: [root, text] });
    for (let length = 0; length < file.length; length += 13) {
      if (await accepts(file.subarray(0, length))) expect.unreachable(`accepted when cut to ${length} bytes`);
    }
  });
});

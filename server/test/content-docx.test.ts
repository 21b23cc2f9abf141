import { constants, crc32, deflateRawSync } from 'node:zlib';
import { documentTypes } from '@customer-database/contract/documents';
import { describe, expect, it } from 'vitest';
import { demoFile } from '../src/demo/files.ts';
import { recogniseContent } from '../src/modules/documents/content.ts';
import { fields, localHeader, type ZipEntry, zip } from './content-zip-builder.ts';

const MIB = 1024 * 1024;

const mainType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const relationshipType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';

const types = (inner: string): ZipEntry => ({
  name: '[Content_Types].xml',
  content: `<?xml version="1.0"?><Types xmlns="x">${inner}</Types>`,
});
const override = (part: string, type: string) => `<Override PartName="${part}" ContentType="${type}"/>`;
const relationships = (target = 'word/document.xml', type = relationshipType): ZipEntry => ({
  name: '_rels/.rels',
  content: `<Relationships><Relationship Id="r" Type="${type}" Target="${target}"/></Relationships>`,
});
const mainPart: ZipEntry = { name: 'word/document.xml', content: '<w:document/>' };
const wordTypes = types(override('/word/document.xml', mainType));
const wordParts = [wordTypes, relationships(), mainPart];

async function accepts(bytes: Buffer): Promise<boolean> {
  const answer = await recogniseContent({ filename: 'a.docx', mimeType: documentTypes['.docx'], bytes });
  return answer !== undefined;
}

describe('a DOCX that is accepted', () => {
  it.each<[string, ZipEntry[]]>([
    ['the least that Word needs', wordParts],
    ['parts in another order', [...wordParts].reverse()],
    [
      'stored parts and folders',
      [...wordParts, { name: 'word/', method: 0 }, { name: 'word/a.png', content: 'x', method: 0 }],
    ],
    ['sizes told after the data', wordParts.map((entry) => ({ ...entry, flags: 8, local: { size: 0 } }))],
    [
      'the main part under another name',
      [
        types(override('/word/document2.xml', mainType)),
        relationships('/word/document2.xml'),
        { ...mainPart, name: 'word/document2.xml' },
      ],
    ],
    [
      'the main type as a default for .xml',
      [types(`<Default Extension='xml' ContentType='${mainType}' />`), relationships(), mainPart],
    ],
    [
      'the Strict variant',
      [
        wordTypes,
        relationships(
          'word/document.xml',
          'http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument',
        ),
        mainPart,
      ],
    ],
    [
      'prefixed names and a comment',
      [
        types(
          `<!-- <x --><ct:Override\n PartName="/word/document.xml" ContentType="${mainType}"></ct:Override>`,
        ),
        relationships(),
        mainPart,
      ],
    ],
    [
      'a blank bitmap that shrinks a thousandfold',
      [...wordParts, { name: 'word/media/a.bmp', content: Buffer.alloc(9 * MIB) }],
    ],
  ])('has %s', async (_, entries) => {
    expect(await accepts(zip(entries))).toBe(true);
  });
});

describe('a DOCX whose inside is no Word document', () => {
  const withType = (type: string) => [types(override('/word/document.xml', type)), relationships(), mainPart];

  it.each<[string, ZipEntry[]]>([
    ['no list of types', [relationships(), mainPart]],
    ['no relationships', [wordTypes, mainPart]],
    ['no main part', [wordTypes, relationships()]],
    ['a macro-enabled document', withType('application/vnd.ms-word.document.macroEnabled.main+xml')],
    ['a template', withType(mainType.replace('document.main', 'template.main'))],
    ['a macro-enabled template', withType('application/vnd.ms-word.template.macroEnabledTemplate.main+xml')],
    ['a spreadsheet', withType(mainType.replace('wordprocessingml.document', 'spreadsheetml.sheet'))],
    [
      'a macro project beside the text',
      [
        types(
          override('/word/document.xml', mainType) +
            override('/word/vbaProject.bin', 'application/vnd.ms-office.vbaProject'),
        ),
        relationships(),
        mainPart,
      ],
    ],
    [
      'the type on another part only',
      [types(override('/word/other.xml', mainType)), relationships(), mainPart, { name: 'word/other.xml' }],
    ],
    [
      'the type in a comment only',
      [types(`<!--${override('/word/document.xml', mainType)}-->`), relationships(), mainPart],
    ],
    [
      'two main parts',
      [
        wordTypes,
        { name: '_rels/.rels', content: `${relationships().content}${relationships('b').content}` },
        mainPart,
      ],
    ],
    [
      'a document type declaration',
      [{ ...wordTypes, content: `<!DOCTYPE x>${wordTypes.content}` }, relationships(), mainPart],
    ],
    [
      'a list of types that breaks off',
      [{ ...wordTypes, content: `${wordTypes.content}<Override` }, relationships(), mainPart],
    ],
    [
      'a list of types with an open comment',
      [{ ...wordTypes, content: `${wordTypes.content}<!-- ` }, relationships(), mainPart],
    ],
    [
      'a type told twice',
      [
        types(`<Override PartName="/word/document.xml" ContentType="x" ContentType="${mainType}"/>`),
        relationships(),
        mainPart,
      ],
    ],
    [
      'a tag that is no XML',
      [
        types(`${override('/word/document.xml', mainType)}<Default Extension="a" b>`),
        relationships(),
        mainPart,
      ],
    ],
    [
      'a list of types that is not UTF-8',
      [
        { ...wordTypes, content: Buffer.concat([Buffer.from(`${wordTypes.content}`), Buffer.from([0xff])]) },
        relationships(),
        mainPart,
      ],
    ],
    [
      'a list of types beyond a mebibyte',
      [{ ...wordTypes, content: `${wordTypes.content}${' '.repeat(MIB)}` }, relationships(), mainPart],
    ],
  ])('has %s', async (_, entries) => {
    expect(await accepts(zip(entries))).toBe(false);
  });

  it.each<[string, string]>([
    ['one endless attribute name', `<Override ${'a'.repeat(900_000)}>`],
    ['endless blanks', `<Override a${' '.repeat(900_000)}>`],
    ['comments that never end', '<!--'.repeat(220_000)],
    ['brackets that never close', '<'.repeat(900_000)],
  ])('cannot slow the check down with %s', async (_, inner) => {
    const started = performance.now();
    expect(await accepts(zip([types(inner), relationships(), mainPart]))).toBe(false);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('a zip that is not to be trusted', () => {
  const valid = zip(wordParts);
  const bomb = deflateRawSync(Buffer.alloc(16 * MIB));
  const blank = deflateRawSync(Buffer.alloc(9 * MIB));
  const blankCrc = crc32(Buffer.alloc(9 * MIB));
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
    ['a wrong checksum', withEntry({ name: 'a', content: 'x', crc: 1 })],
    ['less content than claimed', withEntry({ name: 'a', content: 'x', claimedSize: 2 })],
    ['far more content than claimed', withEntry({ name: 'a', packed: bomb, claimedSize: 10 })],
    [
      'a list of types that inflates beyond its claim',
      zip([{ ...wordTypes, packed: bomb }, relationships(), mainPart]),
    ],
    ['damaged data', withEntry({ name: 'a', packed: Buffer.alloc(50, 0xff), claimedSize: 50 })],
    ['data that breaks off', withEntry({ name: 'a', packed: blank.subarray(0, 100), claimedSize: 9 * MIB })],
    [
      'an absurd ratio',
      withEntry({ name: 'a', packed: bomb, claimedSize: 16 * MIB, crc: crc32(Buffer.alloc(16 * MIB)) }),
    ],
    [
      'more than 200 MiB in all',
      zip([
        ...wordParts,
        ...Array.from({ length: 23 }, (_, n) => ({
          name: `${n}`,
          packed: blank,
          claimedSize: 9 * MIB,
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
  ])('has %s', async (_, bytes) => {
    expect(await accepts(bytes)).toBe(false);
  });

  it('has entries that share their bytes', async () => {
    const inner: ZipEntry = { name: 'inner', content: 'x', method: 0 };
    const bytes = localHeader(inner);
    const outer: ZipEntry = { name: 'outer', content: Buffer.concat([bytes, Buffer.from('x')]), method: 0 };
    const offset = zip([...wordParts, outer]).indexOf(bytes);
    expect(await accepts(zip([...wordParts, outer]))).toBe(true);
    expect(await accepts(zip([...wordParts, outer, { ...inner, offset }]))).toBe(false);
  });

  it('has a second directory, for readers of zip64, hidden in a comment', async () => {
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

  it('is not inflated beyond what it claims', async () => {
    // A piece that ends without closing the stream can be repeated: 9 MB that unfold to 9 GB.
    const piece = deflateRawSync(Buffer.alloc(16 * MIB), { finishFlush: constants.Z_FULL_FLUSH });
    const endless = Buffer.concat(Array<Buffer>(560).fill(piece));
    const started = performance.now();
    expect(await accepts(withEntry({ name: 'a', packed: endless, claimedSize: 1000 }))).toBe(false);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('is cut short anywhere', async () => {
    const file = demoFile('docx', 'Contract', ['A paragraph']);
    expect(await accepts(file)).toBe(true);
    for (let length = 0; length < file.length; length += 1) {
      if (await accepts(file.subarray(0, length))) expect.unreachable(`accepted when cut to ${length} bytes`);
    }
  });
});

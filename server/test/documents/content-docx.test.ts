import { cpuMsOf } from '@customer-database/testkit/cpu-time';
import {
  accepts,
  faultOf,
  mainPart,
  mainType,
  override,
  relationships,
  types,
  wordParts,
  wordTypes,
} from '@customer-database/testkit/docx-parts';
import { samples } from '@customer-database/testkit/samples';
import { type ZipEntry, zip } from '@customer-database/testkit/zip-builder';
import { describe, expect, it } from 'vitest';

const mib = 1024 * 1024;
const mainOverride = override('/word/document.xml', mainType);

/** A document with these entries in its list of types. */
const withTypes = (entries: string): ZipEntry[] => [types(entries), relationships(), mainPart];
/** A document with one more entry there. */
const withTag = (tag: string) => withTypes(mainOverride + tag);
/** A document whose list of types is changed as a whole. */
const withList = (change: (list: string) => string | Buffer): ZipEntry[] => [
  { ...wordTypes, content: change(`${wordTypes.content}`) },
  relationships(),
  mainPart,
];

describe('a DOCX that is accepted', () => {
  it.each<[string, ZipEntry[]]>([
    ['the least that Word needs', wordParts],
    ['parts in another order', [...wordParts].reverse()],
    [
      'stored parts and folders',
      [...wordParts, { name: 'word/', method: 0 }, { name: 'word/a.png', content: 'x', method: 0 }],
    ],
    ['sizes after the data', wordParts.map((entry) => ({ ...entry, flags: 8, local: { size: 0 } }))],
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
      withTypes(`<Default Extension='xml' ContentType='${mainType}' />`),
    ],
    [
      'the type of a template',
      withTypes(override('/word/document.xml', mainType.replace('document.main', 'template.main'))),
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
      withTypes(
        `<!-- <x --><ct:Override\n PartName="/word/document.xml" ContentType="${mainType}"></ct:Override>`,
      ),
    ],
    [
      'a blank bitmap that shrinks a thousandfold',
      [...wordParts, { name: 'word/media/a.bmp', content: Buffer.alloc(9 * mib) }],
    ],
  ])('has %s', async (_, entries) => {
    expect(await accepts(zip(entries))).toBe(true);
  });
});

const project = 'application/vnd.ms-office.vbaProject';
const projectRelationship = 'http://schemas.microsoft.com/office/2006/relationships/vbaProject';

const utf16 = (entry: ZipEntry) => Buffer.from(`\ufeff${entry.content}`, 'utf16le');
const inUtf16 = ([listing, ...others]: ZipEntry[], swap: (bytes: Buffer) => Buffer): ZipEntry[] =>
  listing ? [{ ...listing, content: swap(utf16(listing)) }, ...others] : [];

/** Relationships of the main part. */
const linked = (type: string, target: string): ZipEntry => ({
  ...relationships(target, type),
  name: 'word/_rels/document.xml.rels',
});

/** Starts like a compound file and names this stream at the given offset. */
function compoundFileWith(stream: string, at: number): Buffer {
  const bytes = Buffer.alloc(at + 512);
  bytes.write('d0cf11e0a1b11ae1', 'hex');
  bytes.write(stream, at, 'utf16le');
  return bytes;
}

describe('a DOCX with macros is refused', () => {
  it.each<[string, ZipEntry[]]>([
    ['by their type', withTag(override('/word/vba.bin', project))],
    ['by their type in any case', withTag(override('/word/a.bin', project.toUpperCase()))],
    ['by a type with decimal entities', withTag(override('/word/a.bin', project.replace('P', '&#80;')))],
    [
      'by a type with hexadecimal entities',
      withTag(override('/word/a.bin', project.replace('v', '&#x000076;'))),
    ],
    ['by a type in single quotes', withTag(`<Override ContentType='${project}' PartName='/a'/>`)],
    ['by a type in a tag with a prefix', withTag(`<x:Default Extension="a" ContentType="${project}"/>`)],
    ['by a type in UTF-16', inUtf16(withTag(override('/word/a.bin', project)), (bytes) => bytes)],
    ['by a type in big-endian UTF-16', inUtf16(withTag(override('/a', project)), (bytes) => bytes.swap16())],
    ['by the type of their data', withTag(override('/a', 'application/vnd.ms-word.vbaData+xml'))],
    ['by the name of their part', [...wordParts, { name: 'word/vbaProject.bin' }]],
    ['by the name of their signature', [...wordParts, { name: 'a/VBAProjectSignature.bin' }]],
    ['by a percent-encoded name', [...wordParts, { name: 'word/vba%50roject.bin' }]],
    ['by their relationship', [...wordParts, linked(projectRelationship, 'media/a.png')]],
    [
      'by their relationship with entities',
      [...wordParts, linked(projectRelationship.replace('v', '&#118;'), 'media/a.png')],
    ],
    [
      'by their content under any name',
      [...wordParts, { name: 'word/media/a.png', content: compoundFileWith('_VBA_PROJECT', 2048) }],
    ],
    [
      'by their content in another case, uncompressed',
      [...wordParts, { name: 'a.xml', content: compoundFileWith('_Vba_Project', 2048), method: 0 }],
    ],
    [
      'by their content across two inflated chunks',
      [...wordParts, { name: 'a.xml', content: compoundFileWith('_VBA_PROJECT', 65_536 - 10) }],
    ],
  ])('%s', async (_, entries) => {
    expect(await faultOf(zip(entries))).toBe('This file is named .docx but contains macros.');
  });

  it.each<[string, ZipEntry[]]>([
    [
      'writes about them',
      [wordTypes, relationships(), { ...mainPart, content: '<w:t>_VBA_PROJECT, vbaProject.bin</w:t>' }],
    ],
    [
      'has a link to a page about them',
      [...wordParts, linked('http://x/hyperlink', 'http://x/vbaProject.bin')],
    ],
    ['embeds an older document without any', [...wordParts, { name: 'a.bin', content: samples.doc }]],
    ['is listed in UTF-16', inUtf16(wordParts, (bytes) => bytes)],
    ['is listed with entities', [wordTypes, relationships('word/document&#46;x&#x6d;l'), mainPart]],
  ])('unless it only %s', async (_, entries) => {
    expect(await faultOf(zip(entries))).toBeUndefined();
  });
});

describe('a DOCX that is not a Word document inside', () => {
  const withType = (type: string) => withTypes(override('/word/document.xml', type));

  it.each<[string, ZipEntry[]]>([
    ['no list of types', [relationships(), mainPart]],
    ['no relationships', [wordTypes, mainPart]],
    ['no main part', [wordTypes, relationships()]],
    ['a macro-enabled document', withType('application/vnd.ms-word.document.macroEnabled.main+xml')],
    ['a macro-enabled template', withType('application/vnd.ms-word.template.macroEnabledTemplate.main+xml')],
    ['a spreadsheet', withType(mainType.replace('wordprocessingml.document', 'spreadsheetml.sheet'))],
    [
      'the type on another part only',
      [...withTypes(override('/word/other.xml', mainType)), { name: 'word/other.xml' }],
    ],
    ['the type in a comment only', withTypes(`<!--${mainOverride}-->`)],
    [
      'two main parts',
      [
        wordTypes,
        { name: '_rels/.rels', content: `${relationships().content}${relationships('b').content}` },
        mainPart,
      ],
    ],
    ['a document type declaration', withList((list) => `<!DOCTYPE x>${list}`)],
    [
      'a comment that begins and ends in instructions',
      withTag(`<?a <!-- ?>${override('/word/a.bin', 'x')}<?b --> ?>`),
    ],
    ['a misleading encoding', withList((list) => list.replace('?>', ' encoding="utf-7"?>'))],
    ['an undefined entity', withTag(override('/word/a.bin', '&vba;'))],
    ['a character that does not exist', withTag(override('/word/a.bin', '&#x110000;'))],
    ['a truncated list of types', withList((list) => `${list}<Override`)],
    ['a tag that is never closed', withTag('<Override PartName="/a" ContentType="x">')],
    ['a tag that another one closes', withTag('<Override PartName="/a" ContentType="x"></Default>')],
    ['an attribute of 64 KiB', withTag(override('/a', 'x'.repeat(64 * 1024)))],
    ['a list of types with an open comment', withList((list) => `${list}<!-- `)],
    ['a repeated attribute', withTypes(mainOverride.replace('ContentType', 'ContentType="x" $&'))],
    ['a tag that is no XML', withTag('<Default Extension="a" b>')],
    [
      'a list of types that is not UTF-8',
      withList((list) => Buffer.concat([Buffer.from(list), Buffer.from([0xff])])),
    ],
    ['a list of types beyond a mebibyte', withList((list) => list + ' '.repeat(mib))],
  ])('has %s', async (_, entries) => {
    expect(await accepts(zip(entries))).toBe(false);
  });

  it.each<[string, string]>([
    ['one endless attribute name', `<Override ${'a'.repeat(900_000)}>`],
    ['endless blanks', `<Override a${' '.repeat(900_000)}>`],
    ['comments that never end', '<!--'.repeat(220_000)],
    ['brackets that never close', '<'.repeat(900_000)],
    ['entities without end', `<Override a="${'&#'.repeat(400_000)}">`],
    [
      'attributes without end',
      `<Override ${Array.from({ length: 90_000 }, (_, n) => `a${n}=""`).join(' ')}/>`,
    ],
    ['tags in tags without end', '<a>'.repeat(300_000)],
    ['an entity of endless zeros', `<Override a="&#x${'0'.repeat(900_000)}76;">`],
  ])('is checked within 2 s of processor time in spite of %s', async (_, inner) => {
    const file = zip(withTypes(inner));
    const cost = await cpuMsOf(async () => expect(await accepts(file)).toBe(false));
    expect(cost).toBeLessThan(2000);
  });
});

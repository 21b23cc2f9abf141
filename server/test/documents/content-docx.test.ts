import { describe, expect, it } from 'vitest';
import {
  accepts,
  mainPart,
  mainType,
  override,
  relationships,
  types,
  wordParts,
  wordTypes,
} from '../support/docx-parts.ts';
import { type ZipEntry, zip } from '../support/zip-builder.ts';

const MIB = 1024 * 1024;

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

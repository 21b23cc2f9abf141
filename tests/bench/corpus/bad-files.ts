import { compoundFile } from '@customer-database/testkit/compound-file';
import { wordParts } from '@customer-database/testkit/docx-parts';
import { pdfOf, streamOf, textPage } from '@customer-database/testkit/pdf-builder';
import { samples } from '@customer-database/testkit/samples';
import { seededRandom } from '@customer-database/testkit/seeded-random';
import { wordFile } from '@customer-database/testkit/word-files';
import { zip } from '@customer-database/testkit/zip-builder';
import { type CorpusFile, extensionOf, type Kind, kinds } from './good-files.ts';

export type BadFile = Pick<CorpusFile, 'name' | 'kind' | 'bytes'> & { what: string };

const truncated = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.length * share));

/** With some bytes changed, but not among the first. */
function damaged(bytes: Buffer, seed: number): Buffer {
  const random = seededRandom(seed);
  const copy = Buffer.from(bytes);
  for (let changes = 0; changes < 60; changes += 1) copy[600 + random(copy.length - 600)] = random(256);
  return copy;
}

const breakings: ((bytes: Buffer, seed: number) => Buffer)[] = [
  (bytes) => truncated(bytes, 0.3),
  (bytes) => truncated(bytes, 0.7),
  (bytes) => truncated(bytes, 0.98),
  damaged,
  (bytes, seed) => damaged(bytes, seed + 100),
];

const lines = 'The supplier delivers the desks.\\par\n'.repeat(200);

const unbroken: Record<Kind, Buffer> = {
  ...samples,
  rtf: Buffer.from(`{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}${lines}}`),
  'word 95': wordFile({ version: 6, runs: [{ text: Buffer.from(lines) }] }),
};

/** Cut off or damaged: five of each type. */
export function makeBrokenFiles(): BadFile[] {
  return kinds.flatMap((kind, seed) =>
    breakings.map((spoil, index) => ({
      name: `broken-${index}-${kind}.${extensionOf(kind)}`,
      what: 'broken',
      kind,
      bytes: spoil(unbroken[kind], seed * breakings.length + index),
    })),
  );
}

const megabyte = 1024 * 1024;

/** A PDF whose only page draws this. */
const pdfDrawing = (content: string) => pdfOf([{ content: Buffer.from(content) }]);

const docxWith = (xml: string | Buffer) =>
  zip([...wordParts.slice(0, 2), { name: 'word/document.xml', content: xml }]);

const document = (inner: string) =>
  `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${inner}</w:body></w:document>`;

const laughs = `<!DOCTYPE d [<!ENTITY a "ha">${Array.from({ length: 12 }, (_, index) => {
  const [name, of] = [String.fromCharCode(98 + index), String.fromCharCode(97 + index)];
  return `<!ENTITY ${name} "${`&${of};`.repeat(10)}">`;
}).join('')}]>`;

function hugePicture(): Buffer {
  const fields =
    '/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceRGB /BitsPerComponent 8';
  return pdfOf([
    {
      content: Buffer.from('595 0 0 842 0 0 cm /Big Do'),
      resources: '/XObject << /Big OBJECT >>',
      objects: [streamOf(fields, Buffer.alloc(64 * megabyte))],
    },
  ]);
}

const rtfOpening = Buffer.from('{\\rtf1 ');

/** Each tries to exhaust, to loop or to run something. */
export function makeHostileFiles(): BadFile[] {
  const page = textPage('A page that is repeated until the limit of pages is reached');
  const files: [string, Kind, Buffer][] = [
    ['bomb: eight million lines on one page', 'pdf', pdfDrawing('0 0 m 9 9 l S '.repeat(8 * megabyte))],
    [
      'bomb: seven million pieces of text on one page',
      'pdf',
      pdfDrawing(`BT /F1 9 Tf ${'(x)Tj '.repeat(7 * megabyte)}ET`),
    ],
    ['bomb: a picture of 60,000 by 60,000 pixels', 'pdf', hugePicture()],
    ['loop: the tree of pages contains itself', 'pdf', pdfOf([page], { kids: '2 0 R', pageCount: 1_000 })],
    ['a million pages', 'pdf', pdfOf([page], { kids: '5 0 R '.repeat(1_000_000), pageCount: 1_000_000 })],
    [
      'script: JavaScript that runs when it is opened',
      'pdf',
      Buffer.from(
        pdfOf([page])
          .toString('latin1')
          .replace(
            '/Type /Catalog',
            '/Type /Catalog /OpenAction << /S /JavaScript /JS (while \\(true\\) app.alert\\(1\\)) >>',
          ),
        'latin1',
      ),
    ],
    ['bomb: 300 MB of text in a small DOCX', 'docx', docxWith(document(' '.repeat(300 * megabyte)))],
    ['bomb: entities of entities', 'docx', docxWith(`${laughs}${document('<w:p>&m;</w:p>')}`)],
    [
      'a million elements inside of each other',
      'docx',
      docxWith(document(`${'<w:p>'.repeat(1_000_000)}${'</w:p>'.repeat(1_000_000)}`)),
    ],
    [
      'loop: sectors that lead to themselves',
      'doc',
      compoundFile({
        directory: [
          { name: 'Root Entry', type: 5, child: 1 },
          { name: 'WordDocument', type: 2, start: 1, size: 900_000_000, left: 1, right: 1 },
        ],
      }),
    ],
    [
      'ten million groups inside of each other',
      'rtf',
      Buffer.concat([rtfOpening, Buffer.alloc(10 * megabyte - 10, '{')]),
    ],
    [
      'millions of notes',
      'rtf',
      Buffer.concat([rtfOpening, Buffer.alloc(10 * megabyte - 10, '{\\footnote a}')]),
    ],
    [
      'bomb: the same megabytes of text hundreds of times',
      'word 95',
      wordFile({
        version: 6,
        isFastSaved: true,
        repetitions: 400,
        runs: [{ text: Buffer.alloc(9 * megabyte, 'word ') }],
      }),
    ],
  ];
  return files.map(([what, kind, bytes], index) => ({
    name: `hostile-${index}.${extensionOf(kind)}`,
    what,
    kind,
    bytes,
  }));
}

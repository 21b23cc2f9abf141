import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pdfOf, scannedPage, textPage } from '@customer-database/testkit/pdf-builder';
import { seededRandom } from '@customer-database/testkit/seeded-random';
import { wordFile } from '@customer-database/testkit/word-files';
import iconv from 'iconv-lite';
import { flatOdt } from './flat-odt.ts';
import { fillerText, languages, plantedWord } from './languages.ts';

export const kinds = ['pdf', 'docx', 'doc', 'rtf', 'word 95', 'txt'] as const;
export type Kind = (typeof kinds)[number];

/** Old formats are named .doc too. */
export const extensionOf = (kind: Kind) => (kind === 'rtf' || kind === 'word 95' ? 'doc' : kind);

/** A file and the words that its text is known to have. */
export type CorpusFile = { name: string; kind: Kind; bytes: Buffer; group: string; planted: string[] };

const filesPerKind = 100;
const pagesPerFile = 5;
/** In the table (2), header, footnote, endnote, text box, across a soft hyphen, and in a comment. */
const wordsBesidePages = 8;
const wordsPerFile = pagesPerFile + wordsBesidePages;
const scans = 20;

type Draft = { name: string; language: (typeof languages)[number]; planted: string[]; paragraphs: string[] };

function draftOf(kindIndex: number, index: number): Draft {
  const language = languages[index % languages.length] as (typeof languages)[number];
  const random = seededRandom(kindIndex * filesPerKind + index);
  const number = (kindIndex * filesPerKind + index) * wordsPerFile;
  const planted = Array.from({ length: wordsPerFile }, (_, offset) => plantedWord(language, number + offset));
  // Between commas: where a coined word ends must not depend on its neighbours.
  const paragraphs = planted.map(
    (word) => `${fillerText(language, random)}, ${word}, ${fillerText(language, random)}.`,
  );
  return { name: `${language.name.toLowerCase()}-${index}`, language, planted, paragraphs };
}

function odtOf({ language, planted, paragraphs }: Draft): string {
  const [
    first = '',
    second = '',
    header = '',
    footnote = '',
    endnote = '',
    textBox = '',
    divided = '',
    comment = '',
  ] = planted.slice(pagesPerFile);
  // A PDF shows the number of a note directly before its text, and a page with only few words goes to OCR.
  const noteOf = (word: string) => `(${word}), ${fillerText(language, seededRandom(0))}`;
  return flatOdt({
    font: language.font,
    rightToLeft: language.rightToLeft ?? false,
    paragraphs: paragraphs.slice(0, pagesPerFile),
    cells: [
      ['1', first, '100.00 EUR'],
      ['2', '3', second],
    ],
    header,
    footnote: noteOf(footnote),
    endnote: noteOf(endnote),
    textBox,
    divided: [divided.slice(0, 3), divided.slice(3)],
    comment,
  });
}

export function convert(folder: string, from: string, to: string): void {
  const files = readdirSync(folder).filter((name) => name.endsWith(`.${from}`));
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const args = [profile, '--headless', '--writer', '--convert-to', to, '--outdir', folder, ...files];
  const { status } = spawnSync('soffice', args, { cwd: folder, stdio: 'ignore' });
  if (status === 0) return;
  throw new Error(
    'LibreOffice makes the files. On Debian: apt-get install libreoffice-writer-nogui fonts-liberation fonts-dejavu-core fonts-noto-cjk',
  );
}

/** As editors on different systems save it. */
function encodeText(text: string, index: number): Buffer {
  if (index % 3 === 0) return Buffer.from(`\ufeff${text}`, 'utf16le');
  return Buffer.from(index % 3 === 1 ? `\ufeff${text}` : text);
}

/** The content of each draft as LibreOffice saves it. */
function officeFiles(folder: string, extension: 'pdf' | 'docx' | 'doc' | 'rtf', drafts: Draft[]): Buffer[] {
  const own = join(folder, extension);
  mkdirSync(own, { recursive: true });
  for (const draft of drafts) writeFileSync(join(own, `${draft.name}.fodt`), odtOf(draft));
  convert(own, 'fodt', extension);
  return drafts.map(({ name }) => readFileSync(join(own, `${name}.${extension}`)));
}

/** LibreOffice reads files of Word 95 and no longer writes them. */
function word95File({ language: { word95 }, paragraphs }: Draft): Buffer {
  if (!word95) throw new Error('Word 95 has no code page for this language');
  const text = iconv.encode(paragraphs.join('\r'), word95.encoding);
  return wordFile({ version: 6, fonts: [word95.charset], runs: [{ text, font: 0 }] });
}

function contentsOf(folder: string, kind: Kind, drafts: Draft[]): Buffer[] {
  if (kind === 'txt')
    return drafts.map(({ paragraphs }, index) => encodeText(paragraphs.join('\n\n'), index));
  return kind === 'word 95' ? drafts.map(word95File) : officeFiles(folder, kind, drafts);
}

/** A hundred files of each type in ten languages. Words of a file stand on different pages, and beside the text. */
export function makeGoodFiles(folder: string): CorpusFile[] {
  return kinds.flatMap((kind, kindIndex) => {
    const drafts = Array.from({ length: filesPerKind }, (_, index) => draftOf(kindIndex, index)).filter(
      ({ language }) => kind !== 'word 95' || language.word95,
    );
    const contents = contentsOf(folder, kind, drafts);
    return drafts.map(({ name, language, planted }, index) => ({
      name: `${name}-${kind}.${extensionOf(kind)}`,
      kind,
      group: language.name,
      // A PDF has no comments.
      planted: kind === 'pdf' ? planted.slice(0, -1) : planted,
      bytes: contents[index] as Buffer,
    }));
  });
}

// Real words: OCR leans on a dictionary.
const printed =
  'hydrangea lighthouse marmalade porcupine quarry raspberry saxophone telescope umbrella velvet walnut xylophone yacht zeppelin almanac barometer carousel dandelion eclipse flamingo gondola harpsichord igloo jackal kaleidoscope labyrinth mandolin nectarine obelisk pagoda quicksand rhubarb sandcastle tambourine ukulele vineyard waterfall yogurt zucchini anchor bonfire cinnamon dolphin emerald feather glacier horizon island jasmine kettle lantern meadow nutmeg orchard pepper quilt river saffron thistle tortoise'.split(
    ' ',
  );

/** Pages that are pictures, with three words each. */
export async function makeScans(): Promise<CorpusFile[]> {
  const files: CorpusFile[] = [];
  for (let index = 0; index < scans; index += 1) {
    const planted = printed.slice(index * 3, index * 3 + 3);
    const lines = planted.map(
      (word, line) => `Line ${line + 1} of the paper mentions the ${word} only once.`,
    );
    const bytes = pdfOf([await scannedPage(pdfOf([textPage('Delivery note', ...lines)]))]);
    files.push({ name: `scan-${index}.pdf`, kind: 'pdf', group: 'Scans', planted, bytes });
  }
  return files;
}

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pdfOf, scannedPage, textPage } from '@customer-database/testkit/pdf-builder';
import { seededRandom } from '@customer-database/testkit/seeded-random';
import { fillerText, languages, plantedWord } from './languages.ts';

export const kinds = ['pdf', 'docx', 'doc', 'txt'] as const;
export type Kind = (typeof kinds)[number];

/** A file and the words that its text is known to have. */
export type CorpusFile = { name: string; kind: Kind; bytes: Buffer; group: string; planted: string[] };

const filesPerKind = 100;
const wordsPerFile = 5;
const scans = 20;

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

type Draft = { name: string; group: string; planted: string[]; paragraphs: string[]; html: string };

function draftOf(kindIndex: number, index: number): Draft {
  const language = languages[index % languages.length] as (typeof languages)[number];
  const random = seededRandom(kindIndex * filesPerKind + index);
  const number = (kindIndex * filesPerKind + index) * wordsPerFile;
  const planted = Array.from({ length: wordsPerFile }, (_, offset) => plantedWord(language, number + offset));
  // Between commas: where a coined word ends must not depend on its neighbours.
  const paragraphs = planted.map(
    (word) => `${fillerText(language, random)}, ${word}, ${fillerText(language, random)}.`,
  );
  const direction = language.rightToLeft ? 'rtl' : 'ltr';
  const body = paragraphs
    .map((text) => `<p style="page-break-after: always">${escapeHtml(text)}</p>`)
    .join('');
  return {
    name: `${language.name.toLowerCase()}-${index}`,
    group: language.name,
    planted,
    paragraphs,
    html: `<!doctype html><meta charset="utf-8"><style>p { font-family: '${language.font}' }</style><body dir="${direction}">${body}`,
  };
}

function convert(folder: string, from: string, to: string): void {
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

function officeFiles(folder: string, kind: Exclude<Kind, 'txt'>, drafts: Draft[]): CorpusFile[] {
  const own = join(folder, kind);
  mkdirSync(own, { recursive: true });
  for (const { name, html } of drafts) writeFileSync(join(own, `${name}.html`), html);
  convert(own, 'html', 'odt');
  convert(own, 'odt', kind);
  return drafts.map(({ name, group, planted }) => ({
    name: `${name}.${kind}`,
    kind,
    group,
    planted,
    bytes: readFileSync(join(own, `${name}.${kind}`)),
  }));
}

/** A hundred files of each type in ten languages. Words of a file stand on different pages. */
export function makeGoodFiles(folder: string): CorpusFile[] {
  return kinds.flatMap((kind, kindIndex) => {
    const drafts = Array.from({ length: filesPerKind }, (_, index) => draftOf(kindIndex, index));
    if (kind !== 'txt') return officeFiles(folder, kind, drafts);
    return drafts.map(({ name, group, planted, paragraphs }, index) => ({
      name: `${basename(name)}.txt`,
      kind,
      group,
      planted,
      bytes: encodeText(paragraphs.join('\n\n'), index),
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

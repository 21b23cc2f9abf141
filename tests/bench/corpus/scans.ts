import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawPage } from '@customer-database/extractor/sandbox/formats/pdf-picture';
import { loadPdfium, openPdf } from '@customer-database/extractor/sandbox/pdfium';
import { type PdfPage, pdfOf } from '@customer-database/testkit/pdf-builder';
import { seededRandom } from '@customer-database/testkit/seeded-random';
import { printedWords } from './printed-words.ts';

const count = 220;
// Small sheets, because OCR takes as long as there is text.
const width = 420;
const height = 380;
const margin = 36;
const maxPixels = 40_000_000;
const resolutions = [100, 150, 200, 300];
const fonts = ['Helvetica', 'Times-Roman', 'Courier'];
const languages = Object.keys(printedWords);

/** Size of the letters, and the left edges and widths of the columns, in points. */
type Layout = { size: number; columns: [left: number, width: number][]; rowDistance: number };

const column = (place: number, of: number): [number, number] => {
  const each = (width - 2 * margin) / of;
  return [margin + place * each, each - 14];
};

const layouts: Layout[] = [
  { size: 11, columns: [column(0, 1)], rowDistance: 1.3 },
  { size: 9, columns: [column(0, 2), column(1, 2)], rowDistance: 1.25 },
  { size: 8, columns: [column(0, 3), column(1, 3), column(2, 3)], rowDistance: 1.3 },
  { size: 6.5, columns: [column(0, 1)], rowDistance: 1.25 },
  // A table: each cell has a word or two.
  { size: 10, columns: [0, 1, 2, 3].map((place) => column(place, 4)), rowDistance: 2 },
];

type Effect = { name: string; quality?: number; args(seed: number): string[] };

const white = ['-background', 'white'];
const noise = (strength: string, seed: number) => [
  '-seed',
  String(seed),
  '-attenuate',
  strength,
  '+noise',
  'Gaussian',
];

/** What scanners, copiers and phones do to a page, as options of ImageMagick. */
export const effects: Effect[] = [
  { name: 'clean', args: () => [] },
  { name: 'askew', args: (seed) => [...white, '-rotate', String(((seed % 7) - 3) * 0.8)] },
  { name: 'noise', args: (seed) => noise('0.5', seed) },
  { name: 'JPEG of low quality', quality: 20, args: () => [] },
  {
    name: 'shadow',
    args: () => [
      '(',
      '+clone',
      '-sparse-color',
      'Bilinear',
      shadow,
      ')',
      '-compose',
      'multiply',
      '-composite',
    ],
  },
  { name: 'inverted', args: () => ['-negate'] },
  { name: 'fax', args: (seed) => [...noise('0.8', seed), '-threshold', '55%'] },
  { name: 'blurred', args: () => ['-blur', '0x1.1'] },
  { name: 'faded', args: (seed) => ['+level', '45%,85%', ...noise('0.15', seed)] },
  { name: 'turned by 90°', args: () => ['-rotate', '90'] },
  { name: 'turned by 180°', args: () => ['-rotate', '180'] },
];

const shadow = '0,0 gray30 %[fx:w],0 gray95 0,%[fx:h] gray55 %[fx:w],%[fx:h] white';

const escapeText = (text: string) => text.replace(/[\\()]/g, '\\$&');

/** Cuts lines by an average width of letters. */
function pageOf(layout: Layout, font: string, draw: () => string): { page: PdfPage; words: string[] } {
  const words: string[] = [];
  const lines: string[] = [];
  const letterWidth = layout.size * (font === 'Courier' ? 0.6 : 0.52);
  for (const [left, columnWidth] of layout.columns) {
    for (let y = height - margin; y > margin; y -= layout.size * layout.rowDistance) {
      let line = '';
      for (let word = draw(); (line.length + word.length + 1) * letterWidth < columnWidth; word = draw()) {
        line += line ? ` ${word}` : word;
        words.push(word);
      }
      lines.push(`1 0 0 1 ${left} ${y.toFixed(1)} Tm (${escapeText(line)}) Tj`);
    }
  }
  const content = Buffer.from(`BT /F2 ${layout.size} Tf ${lines.join('\n')} ET`, 'latin1');
  const resource = `<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`;
  return { page: { content, resources: `/Font << /F2 ${resource} >>`, size: [width, height] }, words };
}

/** A page as a grey picture for ImageMagick. */
function draw(page: PdfPage, dotsPerInch: number): Buffer {
  const pdf = openPdf(pdfOf([page]));
  const picture = drawPage(pdf, 0, { dotsPerInch, maxPixels });
  pdf.close();
  return Buffer.concat([Buffer.from(`P5 ${picture.width} ${picture.height} 255\n`), picture.grey]);
}

/** A page of the size of the picture. */
function pdfOfPicture(jpeg: Buffer, [columns, rows]: [number, number], dotsPerInch: number): Buffer {
  const size: [number, number] = [(columns / dotsPerInch) * 72, (rows / dotsPerInch) * 72];
  const fields = `/Type /XObject /Subtype /Image /Width ${columns} /Height ${rows} /ColorSpace /DeviceGray /BitsPerComponent 8`;
  const stream = [`<< ${fields} /Filter /DCTDecode /Length ${jpeg.length} >> stream\n`, jpeg, '\nendstream'];
  return pdfOf([
    {
      content: Buffer.from(`${size[0]} 0 0 ${size[1]} 0 0 cm /Scan Do`),
      resources: '/XObject << /Scan OBJECT >>',
      objects: [Buffer.concat(stream.map((part) => Buffer.from(part)))],
      size,
    },
  ]);
}

export type Scan = {
  effect: string;
  language: string;
  dotsPerInch: number;
  /** Where the picture is. */
  path: string;
  pdf: Buffer;
  words: string[];
};

/** Every mixture of layout, language, resolution, font and effect is as frequent as the others, or nearly so. */
function makeScan(folder: string, index: number): Scan {
  const at = <T>(list: T[], place: number) => list[place % list.length] as T;
  const random = seededRandom(index);
  const language = at(languages, index);
  const vocabulary = printedWords[language] ?? [];
  const dotsPerInch = at(resolutions, Math.floor(index / languages.length));
  const effect = at(effects, index);
  const { page, words } = pageOf(at(layouts, index), at(fonts, index), () =>
    at(vocabulary, random(vocabulary.length)),
  );
  const path = join(folder, `scan-${index}.jpg`);
  const quality = ['-colorspace', 'Gray', '-quality', String(effect.quality ?? 85)];
  const args = ['pgm:-', ...effect.args(index), ...quality, '-write', path, '-format', '%w %h', 'info:'];
  const { status, stdout } = spawnSync('convert', args, { input: draw(page, dotsPerInch) });
  if (status !== 0) throw new Error('ImageMagick cannot make a scan');
  const size = stdout.toString().split(' ').map(Number) as [number, number];
  const pdf = pdfOfPicture(readFileSync(path), size, dotsPerInch);
  return { effect: effect.name, language, dotsPerInch, path, pdf, words };
}

export async function makeScansToCompare(folder: string): Promise<Scan[]> {
  await loadPdfium();
  mkdirSync(folder, { recursive: true });
  return Array.from({ length: count }, (_, index) => makeScan(folder, index));
}

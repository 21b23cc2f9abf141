import { writeFileSync } from 'node:fs';
import { type PdfPage, pdfOf } from '@customer-database/testkit/pdf-builder';
import { linesOf } from './html-papers.ts';
import type { Paper } from './papers.ts';

const left = 50;
const top = 790;
const distance = 17;
const size = 11;
// Courier, so that the place of each letter is known.
const letterWidth = size * 0.6;
const rotations = [90, 180, 270];

const octal = (letter: string) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`;
const escapeText = (text: string) => text.replace(/[\\()\x80-\xff]/g, octal);
const place = (x: number, row: number) => `1 0 0 1 ${x.toFixed(1)} ${top - row * distance} Tm`;
const shown = (text: string) => `(${escapeText(text)}) Tj`;

const byLine = (line: string, row: number) => `${place(left, row)} ${shown(line)}`;

/** Each letter has a place, and spaces are only gaps. */
const byLetter = (line: string, row: number) =>
  [...line]
    .map((letter, index) =>
      letter === ' ' ? '' : `${place(left + index * letterWidth, row)} ${shown(letter)}`,
    )
    .join(' ');

/** Distances within words in the middle of strings, as typesetters draw pairs of letters. */
const byKerning = (line: string, row: number) =>
  `${place(left, row)} [${line
    .split(' ')
    .map((word) => `(${escapeText(word.slice(0, 2))}) 40 (${escapeText(word.slice(2))}) -600`)
    .join(' ')}] TJ`;

const ways = [byLine, byLetter, byKerning];

function pageOf(lines: string[], drawLine: (line: string, row: number) => string): PdfPage {
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>';
  return {
    content: Buffer.from(`BT /F2 ${size} Tf ${lines.map(drawLine).join('\n')} ET`, 'latin1'),
    resources: `/Font << /F1 3 0 R /F2 ${font} >>`,
  };
}

/** Lines in fields of a form and in comments instead of on the page. */
function annotationsOf(lines: string[]): string[] {
  return lines.map((line, row) => {
    const box = `/Rect [${left} ${top - row * distance - 4} 540 ${top - row * distance + 11}]`;
    const field = `/Subtype /Widget /FT /Tx /T (field ${row}) /V (${escapeText(line)}) /DA (/F1 9 Tf 0 g) ${box}`;
    return row % 2 === 0 ? field : `/Subtype /FreeText /Contents (${escapeText(line)}) ${box}`;
  });
}

/** Text as rare programs place it, and in forms and comments. */
export function ownPdf(paper: Paper, path: string, index: number): void {
  const lines = linesOf(paper);
  const drawLine = ways[index % ways.length] ?? byLine;
  const rotation = index % 2 === 0 ? 0 : (rotations[index % rotations.length] ?? 0);
  const isForm = index % 4 === 3;
  const page = isForm
    ? { ...pageOf(lines.slice(0, 2), byLine), annotations: annotationsOf(lines.slice(2)) }
    : { ...pageOf(lines, drawLine), rotation };
  writeFileSync(path, pdfOf([page]));
}

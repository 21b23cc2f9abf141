import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flatOdt } from './flat-odt.ts';
import { convert } from './good-files.ts';
import { divided, htmlOf, linesOf, looks } from './html-papers.ts';
import { languages } from './languages.ts';
import { ownPdf } from './own-pdfs.ts';
import { type Paper, paperOf, textOf } from './papers.ts';

export type ProducedPdf = { group: string; path: string; words: string[] };

export const programs: [name: string, packages: string][] = [
  ['chromium', 'chromium fonts-liberation fonts-dejavu-core fonts-noto-cjk'],
  ['weasyprint', 'weasyprint'],
  ['wkhtmltopdf', 'wkhtmltopdf'],
  ['rsvg-convert', 'librsvg2-bin'],
  ['groff', 'groff'],
  ['gs', 'ghostscript'],
  ['qpdf', 'qpdf'],
  ['pdftotext', 'poppler-utils'],
];

function run(program: string, args: string[], input?: string): void {
  const { status, stderr } = spawnSync(program, args, { input });
  if (status !== 0 && status !== warned) throw new Error(`${program} failed: ${stderr}`);
}

// Of qpdf.
const warned = 3;

type Produce = (paper: Paper, path: string, index: number) => void;

const at = <T>(list: readonly T[], index: number) => list[index % list.length] as T;
// Each language in each look.
const lookOf = (index: number) => at(looks, Math.floor(index / languages.length) + index);

const withHtml =
  (command: (html: string, pdf: string) => [program: string, args: string[]]): Produce =>
  (paper, path, index) => {
    writeFileSync(`${path}.html`, htmlOf(paper, lookOf(index)));
    run(...command(`${path}.html`, path));
  };

const chromium = withHtml((html, pdf) => [
  'chromium',
  ['--headless', '--no-sandbox', '--disable-gpu', '--no-pdf-header-footer', `--print-to-pdf=${pdf}`, html],
]);

const escapeXml = (text: string) => text.replaceAll('&', '&amp;');

const cairo: Produce = (paper, path) => {
  const { font, rightToLeft } = paper.language;
  const place = rightToLeft ? 'x="545" direction="rtl"' : 'x="50"';
  const lines = linesOf(paper).map(
    (line, row) => `<text ${place} y="${60 + row * 18}">${escapeXml(line)}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="595" height="842" font-family="${font}" font-size="12">${lines.join('')}</svg>`;
  run('rsvg-convert', ['-f', 'pdf', '-o', path], svg);
};

/** In two columns, with hyphens where groff finds places for them. */
const groff: Produce = (paper, path) => {
  const text = paper.paragraphs.map((words) => `.PP\n${textOf(paper, words)}`).join('\n');
  const cells = paper.cells.map((row) => `.br\n${row.join('\\h"2c"')}`).join('\n');
  const [header, footer] = [textOf(paper, paper.header), textOf(paper, paper.footer)];
  const source = `.ds CH ${header}\n.ds LF ${footer}\n.TL\n${textOf(paper, paper.title)}\n.2C\n${text}\n${cells}\n`;
  const { stdout } = spawnSync('groff', ['-K', 'utf8', '-ms', '-P-pa4', '-Tpdf'], { input: source });
  writeFileSync(path, stdout);
};

/** Changes what Chromium made. */
const afterwards =
  (command: (from: string, to: string, index: number) => [program: string, args: string[]]): Produce =>
  (paper, path, index) => {
    chromium(paper, `${path}.chromium`, index);
    run(...command(`${path}.chromium`, path, index));
  };

const qpdfOptions = [
  ['--encrypt', '', 'owner', '256', '--'],
  ['--encrypt', '', 'owner', '128', '--use-aes=y', '--'],
  ['--linearize'],
  ['--object-streams=generate', '--stream-data=compress'],
];

const withoutUnicode: Produce = (paper, path, index) => {
  afterwards((from, to) => ['qpdf', ['--qdf', '--object-streams=disable', from, to]])(paper, path, index);
  writeFileSync(path, readFileSync(path, 'latin1').replaceAll('/ToUnicode', '/ToNothing'), 'latin1');
};

const office: Produce = (paper, path) => {
  const text = (words: string[]) => textOf(paper, words);
  const source = flatOdt({
    font: paper.language.font,
    rightToLeft: paper.language.rightToLeft ?? false,
    paragraphs: paper.paragraphs.map((words) => textOf(paper, words, divided(paper))),
    cells: paper.cells,
    header: text(paper.header),
    footnote: text(paper.footer),
    endnote: '',
    textBox: text(paper.title),
    comment: '',
    divided: ['', ''],
  });
  writeFileSync(path.replace(/pdf$/, 'fodt'), source);
};

// Their PDFs of other scripts name wrong letters.
const ghostscriptScripts = languages.filter(({ name }) => !['Russian', 'Greek', 'Arabic'].includes(name));
const weasyprintScripts = languages.filter(({ rightToLeft }) => !rightToLeft);
const named = (...names: string[]) => languages.filter(({ name }) => names.includes(name));

/** Papers are in all languages unless given. */
const producers: { group: string; count: number; produce: Produce; among?: typeof languages }[] = [
  { group: 'Chromium', count: 50, produce: chromium },
  { group: 'LibreOffice', count: 20, produce: office },
  {
    group: 'WeasyPrint',
    count: 20,
    produce: withHtml((html, pdf) => ['weasyprint', [html, pdf]]),
    among: weasyprintScripts,
  },
  {
    group: 'wkhtmltopdf (Qt)',
    count: 20,
    produce: withHtml((html, pdf) => ['env', ['QT_QPA_PLATFORM=offscreen', 'wkhtmltopdf', '-q', html, pdf]]),
  },
  { group: 'librsvg (cairo)', count: 20, produce: cairo },
  { group: 'groff', count: 18, produce: groff, among: named('English', 'German', 'French') },
  {
    group: 'Ghostscript, from Chromium',
    count: 20,
    produce: afterwards((from, to) => [
      'gs',
      ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', `-o${to}`, from],
    ]),
    among: ghostscriptScripts,
  },
  {
    group: 'pdftocairo, from Chromium',
    count: 10,
    produce: afterwards((from, to) => ['pdftocairo', ['-pdf', from, to]]),
  },
  {
    group: 'encrypted without a password, linearised, object streams (qpdf)',
    count: 20,
    produce: afterwards((from, to, index) => ['qpdf', [...at(qpdfOptions, index), from, to]]),
  },
  {
    group: 'letter by letter, turned, forms, comments',
    count: 24,
    produce: ownPdf,
    among: named('English', 'German'),
  },
  {
    group: 'fonts without Unicode, read by OCR',
    count: 8,
    produce: withoutUnicode,
    among: named('English'),
  },
];

export function makePdfs(folder: string): ProducedPdf[] {
  let papers = 0;
  const made = producers.flatMap(({ group, count, produce, among }, number) => {
    const own = join(folder, String(number));
    mkdirSync(own, { recursive: true });
    const files = Array.from({ length: count }, (_, index) => {
      papers += 1;
      const paper = paperOf(among ? index : papers, among);
      const path = join(own, `${paper.name}.pdf`);
      produce(paper, path, index);
      return { group, path, words: paper.words };
    });
    if (produce === office) convert(own, 'fodt', 'pdf');
    return files;
  });
  return made;
}

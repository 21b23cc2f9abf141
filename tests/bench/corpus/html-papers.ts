import { type Paper, textOf } from './papers.ts';

/** Looks of a page that make it harder to read the text out of its PDF. */
export const looks = ['one column', 'two columns', 'narrow', 'spaced title', 'landscape'] as const;

const style: Record<(typeof looks)[number], string> = {
  'one column': '',
  'two columns': 'main { columns: 2; text-align: justify }',
  narrow: 'main { width: 40% } p { text-align: justify }',
  'spaced title': 'h1 { letter-spacing: 0.35em }',
  landscape: '@page { size: A4 landscape } main { columns: 3 }',
};

const half = (word: string) => Math.ceil(word.length / 2);

/** With optional hyphens, for languages that divide words. */
export const divided = ({ language }: Paper) =>
  language.word95 && !language.rightToLeft && !language.isContinuous
    ? (word: string) =>
        word.length > 7 ? `${word.slice(0, half(word))}\u00ad${word.slice(half(word))}` : word
    : (word: string) => word;

export function htmlOf(paper: Paper, look: (typeof looks)[number]): string {
  const { language, title, header, footer, paragraphs, cells } = paper;
  const body = paragraphs.map((words) => `<p>${textOf(paper, words, divided(paper))}</p>`).join('\n');
  const rows = cells.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n');
  return `<!doctype html><html dir="${language.rightToLeft ? 'rtl' : 'ltr'}"><head><meta charset="utf-8"><style>
body { font: 11pt "${language.font}" } td { border: 1px solid; padding: 4px } ${style[look]}
</style></head><body><header>${textOf(paper, header)}</header><h1>${textOf(paper, title)}</h1>
<main>${body}</main><table>${rows}</table><footer>${textOf(paper, footer)}</footer></body></html>`;
}

const lineLength = 60;
const continuousLineLength = 30;

/** In lines, as programs place them that do not know paragraphs. */
export function linesOf(paper: Paper): string[] {
  const { language, title, header, footer, paragraphs, cells } = paper;
  const length = language.isContinuous ? continuousLineLength : lineLength;
  const wrap = (words: string[]) =>
    language.isContinuous
      ? (textOf(paper, words).match(new RegExp(`.{1,${length}}`, 'gu')) ?? [])
      : (textOf(paper, words).match(new RegExp(`.{1,${length}}(?= |$)`, 'gu')) ?? []).map((line) =>
          line.trim(),
        );
  return [header, title, ...paragraphs, ...cells, footer].flatMap((words) => wrap(words));
}

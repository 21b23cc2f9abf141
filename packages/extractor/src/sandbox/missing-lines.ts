import { wordsOf } from '@customer-database/words/words';

/** Adds the lines that have a word which the text lacks. Words are compared as searches compare them. */
export function withMissingLines(text: string, lines: string[]): string {
  const missing = missingLines(text, lines, (line) => line);
  return [text, ...missing].filter(Boolean).join('\n');
}

/** Keeps empty lines, which end paragraphs. */
export function missingLines<Line>(text: string, lines: Line[], textOf: (line: Line) => string): Line[] {
  const known = new Set([...wordsOf(text)].map((word) => word.text));
  const isMissing = (line: string) => [...wordsOf(line)].some((word) => !known.has(word.text));
  return lines.filter((line) => textOf(line) === '' || isMissing(textOf(line)));
}

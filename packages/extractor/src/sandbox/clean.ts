import { withoutRadicals } from './radicals.ts';

// PDFium joins divided words and replaces the hyphen by this noncharacter.
const hyphenOfPdfium = /\ufffe/g;
const dividedWord = /(\p{L})(?:\ufffe|[\u00ad\u2010-]+[ \t]*\r?\n[ \t]*)(?=\p{Ll})/gu;
// PostgreSQL stores no NUL; the other characters are invisible. Tabs and line ends stay.
const unprintable = /(?![\t\n\f\r\x80-\x9f])[\p{Cc}\uffff]/gu;

/** Joins words across lines; leaves at most one empty line and no blanks at line ends. */
export function cleanText(text: string): string {
  return withoutRadicals(text.toWellFormed())
    .replace(dividedWord, '$1')
    .replace(hyphenOfPdfium, '-')
    .replace(/\r\n?|[\f\u2028\u2029]/g, '\n')
    .replace(unprintable, '')
    .replace(/[ \t\u00a0]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

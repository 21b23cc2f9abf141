import type { Reading } from './port.ts';

// About one sheet of paper.
const pageLength = 3_000;

/** Ends a page after a paragraph, a line or a word in its last third. */
function endOfPage(text: string, start: number): number {
  const end = start + pageLength;
  if (end >= text.length) return text.length;
  // Only there: a search through a long text without separators would be repeated for each page.
  const lastThird = end - pageLength / 3;
  for (const separator of ['\n\n', '\n', ' ']) {
    const at = text.slice(lastThird, end + 1).lastIndexOf(separator);
    if (at !== -1) return lastThird + at + separator.length;
  }
  // Keeps surrogate pairs together.
  const endsInPair = /[\ud800-\udbff]/.test(text[end - 1] ?? '');
  return endsInPair ? end + 1 : end;
}

function* splitIntoPages(text: string): Generator<{ text: string }> {
  for (let start = 0; start < text.length; ) {
    const end = endOfPage(text, start);
    yield { text: text.slice(start, end) };
    start = end;
  }
}

/** Splits the text of formats without pages. */
export function readingOf(text: string): Reading {
  const pages = [...splitIntoPages(text.trim())];
  return { pageCount: pages.length, pagesAfter: (skipped) => pages.slice(skipped) };
}

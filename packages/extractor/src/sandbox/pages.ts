import type { Reading } from './port.ts';

// About one sheet of paper.
const pageLength = 3_000;

/** Ends a page after a paragraph, a line or a word in its last third. */
function endOfPage(text: string, start: number): number {
  const end = start + pageLength;
  if (end >= text.length) return text.length;
  for (const separator of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(separator, end);
    if (at > end - pageLength / 3) return at + separator.length;
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

import { AppError } from '../../http/errors.ts';

export type CsvLine = {
  /** Where it begins; a value with line breaks makes it go over several. */
  line: number;
  values: string[];
};

export type CsvScanner = {
  /** The lines that are complete now; the rest waits for the next piece of text. */
  scan(text: string, isLast: boolean, atMost?: number): CsvLine[];
};

// More than any line that could be right; a quote that is never closed must not read the file into memory.
const maxLineLength = 100_000;

const [quote, tab, lineFeed, carriageReturn, blank] = [0x22, 0x09, 0x0a, 0x0d, 0x20];

const unreadable = (line: number, text: string) =>
  new AppError('VALIDATION_FAILED', `Line ${line} cannot be read: ${text}`);
const endless = `there is no end within ${maxLineLength} characters; is a quote (") not closed?`;

const isBreak = (code: number) => code === lineFeed || code === carriageReturn;

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === blank || text.charCodeAt(at) === tab) at += 1;
  return at;
}

/** The quote that ends the value, and not one of two that stand for one; -1 if there is none. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text.charCodeAt(at + 1) === quote) at = text.indexOf('"', at + 2);
  return at;
}

/** A \r\n is one. */
const countBreaks = (text: string) => text.match(/\r\n|[\r\n]/g)?.length ?? 0;

/**
 * Reads CSV as it comes: values in quotes or without, with blanks around them, lines that end in any way.
 * Character by character over plain strings, because an import spends most of its time here.
 */
export function createCsvScanner(delimiter: ',' | ';'): CsvScanner {
  const separator = delimiter.charCodeAt(0);
  let text = '';
  let at = 0;
  let line = 1;
  /** Inside the values of this line. */
  let breaks = 0;
  let isStart = true;

  /** From `at` on; undefined and no further if it may go on in the next piece. */
  function scanValue(isLast: boolean): string | undefined {
    const from = skipBlanks(text, at);
    if (text.charCodeAt(from) === quote) return scanQuoted(from + 1, isLast);
    let end = from;
    for (; end < text.length; end += 1) {
      const code = text.charCodeAt(end);
      if (code === separator || isBreak(code)) break;
      if (code === quote)
        throw unreadable(line, 'a quote (") stands inside a value that does not begin with one');
    }
    if (end === text.length && !isLast) return undefined;
    at = end;
    return text.slice(from, end).trimEnd();
  }

  function scanQuoted(from: number, isLast: boolean): string | undefined {
    const end = closingQuote(text, from);
    if (end < 0 && isLast) throw unreadable(line, 'a quote (") is opened and never closed');
    const next = skipBlanks(text, end + 1);
    if (end < 0 || (next === text.length && !isLast)) return undefined;
    const code = text.charCodeAt(next);
    if (next < text.length && code !== separator && !isBreak(code)) {
      throw unreadable(line, 'something follows the quote (") that ends a value');
    }
    at = next;
    const value = text.slice(from, end);
    breaks += countBreaks(value);
    return value.includes('"') ? value.replaceAll('""', '"') : value;
  }

  /** Values up to the end of a line; undefined if it may go on in the next piece. */
  function scanLine(isLast: boolean): string[] | undefined {
    const values: string[] = [];
    for (;;) {
      const value = scanValue(isLast);
      if (value === undefined) return undefined;
      values.push(value);
      if (text.charCodeAt(at) !== separator) break;
      at += 1;
    }
    // The \n that belongs to this \r may still come.
    if (at === text.length - 1 && text.charCodeAt(at) === carriageReturn && !isLast) return undefined;
    if (text.charCodeAt(at) === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at += 1;
    at += 1;
    return values;
  }

  return {
    scan(piece, isLast, atMost = Number.POSITIVE_INFINITY) {
      // Some programs begin a file with a mark that is no part of its first value.
      text = text.slice(at) + (isStart ? piece.replace(/^\ufeff/, '') : piece);
      isStart &&= piece === '';
      at = 0;
      const lines: CsvLine[] = [];
      while (at < text.length && lines.length < atMost) {
        const start = at;
        breaks = 0;
        const values = scanLine(isLast);
        const end = values ? at : text.length;
        if (end - start > maxLineLength) throw unreadable(line, endless);
        if (!values) {
          at = start;
          break;
        }
        if (values.length > 1 || values[0] !== '') lines.push({ line, values });
        line += 1 + breaks;
      }
      return lines;
    },
  };
}

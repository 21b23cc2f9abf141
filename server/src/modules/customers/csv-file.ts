import type { ReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { CsvError, type Options, parse } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { AppError } from '../../http/errors.ts';
import { createUtf8Check } from './utf8.ts';

export type CsvLine = {
  /** Where it begins; a value with line breaks makes it go over several. */
  line: number;
  values: string[];
};

export type CsvFile = {
  header: string[];
  /** In bytes. */
  size: number;
  /** How much of it has been read, from 0 to 1. */
  part(): number;
  /** All that follows the header, by the chunk: a promise for each line would make reading a third slower. */
  batches(signal: AbortSignal): AsyncGenerator<CsvLine[]>;
  close(): Promise<void>;
};

const chunkSize = 64 * 1024;
// More than any line that could be right; a quote that is never closed must not read the file into memory.
const maxLineLength = 100_000;

const dialect = {
  bom: true,
  // Around quotes, where a blank would be an error; the check of the fields trims in any case.
  trim: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
  max_record_size: maxLineLength,
} satisfies Options;

const refused = (text: string) => new AppError('VALIDATION_FAILED', text);

const textAfterQuote = 'something follows the quote (") that ends a value';
const quoteTexts: Record<string, string> = {
  INVALID_OPENING_QUOTE: 'a quote (") stands inside a value that does not begin with one',
  CSV_INVALID_CLOSING_QUOTE: textAfterQuote,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: textAfterQuote,
  CSV_QUOTE_NOT_CLOSED: 'a quote (") is opened and never closed',
  CSV_MAX_RECORD_SIZE: `there is no end within ${maxLineLength} characters; is a quote (") not closed?`,
};

function readable(error: unknown, lineOfRecord: number): unknown {
  const text = error instanceof CsvError ? quoteTexts[error.code] : undefined;
  return text ? refused(`Line ${lineOfRecord} cannot be read: ${text}`) : error;
}

/** In the header alone, where neither stands in a name. */
function delimiterOf(head: string): ',' | ';' {
  const [firstLine = ''] = head
    .replace(/^\ufeff/, '')
    .trimStart()
    .split(/[\r\n]/, 1);
  const unquoted = firstLine.replace(/"[^"]*"/g, '');
  return unquoted.split(';').length > unquoted.split(',').length ? ';' : ',';
}

const breaksIn = (values: string[], pattern: RegExp) =>
  values.reduce((count, value) => count + (value.match(pattern)?.length ?? 0), 0);

function createParser(delimiter: string, onLine: (line: CsvLine) => void) {
  // As csv-parse counts: a \r\n inside quotes is two lines there, and one for everybody else.
  let lastLine = 0;
  let countedTwice = 0;
  const parser = parse({
    ...dialect,
    delimiter,
    on_record(values: string[], { lines }) {
      let line = lines - countedTwice;
      if (lines > lastLine + 1) {
        const counted = breaksIn(values, /[\r\n]/g);
        line -= counted;
        countedTwice += counted - breaksIn(values, /\r\n|[\r\n]/g);
      }
      const isHeader = lastLine === 0;
      lastLine = lines;
      if (!isHeader) onLine({ line, values });
      // Nothing for the stream to hand out: the line has been taken.
      return null;
    },
  });
  // Whoever writes is told; unheard, the event would end the process.
  parser.on('error', () => undefined);
  // Its end is only reached when somebody reads.
  parser.resume();
  const settled = (resolve: () => void, reject: (error: unknown) => void) => (error?: Error | null) =>
    error ? reject(readable(error, lastLine - countedTwice + 1)) : resolve();
  return {
    write: (chunk: Buffer) =>
      new Promise<void>((resolve, reject) => parser.write(chunk, settled(resolve, reject))),
    end: () => new Promise<void>((resolve, reject) => parser.end(settled(resolve, reject))),
  };
}

async function* readBatches(chunks: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<CsvLine[]> {
  let batch: CsvLine[] = [];
  const parser = createParser(delimiter, (line) => batch.push(line));
  const check = createUtf8Check();
  const taken = () => {
    const lines = batch;
    batch = [];
    return lines;
  };
  for await (const chunk of chunks) {
    await parser.write(check(chunk, false));
    yield taken();
  }
  await parser.write(check(Buffer.alloc(0), true));
  await parser.end();
  yield taken();
}

function readHeader(head: Buffer, delimiter: string): string[] {
  try {
    const [header] = parseAtOnce(head, { ...dialect, delimiter, to: 1 });
    if (!header) throw refused('The file is empty');
    return header;
  } catch (error) {
    throw readable(error, 1);
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw refused(code === 'ENOENT' ? `There is no file ${path}` : `${path} cannot be read (${code})`);
  }
}

export async function openCsvFile(path: string): Promise<CsvFile> {
  const handle = await openFile(path);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw refused(`${path} is ${found.isDirectory() ? 'a folder' : 'not a file'}`);
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(chunkSize), position: 0 });
    const head = createUtf8Check()(buffer.subarray(0, bytesRead), bytesRead < chunkSize);
    const delimiter = delimiterOf(head.toString());
    const header = readHeader(head, delimiter);
    let bytes: ReadStream | undefined;
    return {
      header,
      size: found.size,
      part: () => (bytes?.bytesRead ?? 0) / found.size,
      batches: (signal) => {
        bytes = handle.createReadStream({ start: 0, autoClose: false, highWaterMark: chunkSize, signal });
        return readBatches(bytes, delimiter);
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

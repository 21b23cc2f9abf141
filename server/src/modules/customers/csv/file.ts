import { isUtf8 } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { CsvError, type CsvErrorCode, type Info, type Options, parse } from 'csv-parse';
import { AppError } from '../../../http/errors.ts';

export type CsvLine = {
  /** The number of its first line in the file. Values may contain line breaks. */
  line: number;
  values: string[];
};

export type CsvFile = {
  header: string[];
  /** In bytes. */
  size: number;
  /** The fraction read so far, from 0 to 1. */
  fractionRead(): number;
  /** The lines after the header, in batches. */
  batches(): AsyncGenerator<CsvLine[]>;
  close(): Promise<void>;
};

const chunkSize = 64 * 1024;
const batchSize = 500;
// Longer than any valid line. Without a limit, a missing closing quote would read the whole file into memory.
const maxLineBytes = 100_000;

type Delimiter = ',' | ';';

const invalidFile = (text: string) => new AppError('VALIDATION_FAILED', text);

const textAfterQuote = 'there is text after the quote (") that ends a value';
const reasons: Partial<Record<CsvErrorCode, string>> = {
  INVALID_OPENING_QUOTE: 'there is a quote (") inside a value that does not begin with one',
  CSV_INVALID_CLOSING_QUOTE: textAfterQuote,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: textAfterQuote,
  CSV_QUOTE_NOT_CLOSED: 'a quote (") is opened and never closed',
  CSV_MAX_RECORD_SIZE: `there is no end within ${maxLineBytes} bytes; is a quote (") not closed?`,
};

/** Looks only at the header, whose names contain neither delimiter. */
function delimiterOf(head: string): Delimiter {
  const [firstLine = ''] = head.trimStart().split(/[\r\n]/, 1);
  const unquoted = firstLine.replace(/"[^"]*"/g, '');
  return unquoted.split(';').length > unquoted.split(',').length ? ';' : ',';
}

const countLineBreaks = (text: string) => text.match(/\r\n|[\r\n]/g)?.length ?? 0;

// The parser substitutes this for invalid bytes, but a valid file may contain it too.
const replacement = '\ufffd';
const notUtf8 = (line: number) =>
  invalidFile(`Line ${line} is not UTF-8 text. Save the file with the encoding UTF-8 and try again.`);

async function isValidUtf8(handle: FileHandle, from: number, to: number): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from), 0, to - from, from);
  return isUtf8(buffer.subarray(0, bytesRead));
}

async function* readLines(
  handle: FileHandle,
  bytes: Readable,
  delimiter: Delimiter,
): AsyncGenerator<CsvLine> {
  let line = 1;
  let offset = 0;
  let emptyLines = 0;
  const skipEmpty = ({ empty_lines }: Pick<Info, 'empty_lines'>) => {
    line += empty_lines - emptyLines;
    emptyLines = empty_lines;
  };
  // The parser calls this for each record, so that the line of a later error is known.
  const numbered = (values: string[], info: Info): CsvLine & { end: number } => {
    skipEmpty(info);
    const found = { line, values, end: info.bytes };
    line += values.reduce((sum, value) => sum + countLineBreaks(value), 1);
    return found;
  };
  const parser = parse({
    bom: true,
    delimiter,
    max_record_size: maxLineBytes,
    // The library's types only allow an array for a record without named columns.
    on_record: numbered as unknown as NonNullable<Options['on_record']>,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  });
  // A read error of the file surfaces in the parser.
  pipeline(bytes, parser, () => undefined);
  try {
    for await (const found of parser as AsyncIterable<ReturnType<typeof numbered>>) {
      const { values, end } = found;
      const mayBeInvalid = values.some((value) => value.includes(replacement));
      if (mayBeInvalid && !(await isValidUtf8(handle, offset, end))) throw notUtf8(found.line);
      offset = end;
      // A line of two quotes is empty too.
      if (values.length > 1 || values[0] !== '') yield found;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    skipEmpty(error as unknown as Info);
    throw invalidFile(`Line ${line} cannot be read: ${reasons[error.code] ?? error.message}`);
  }
}

async function* inBatches(lines: AsyncIterable<CsvLine>): AsyncGenerator<CsvLine[]> {
  let batch: CsvLine[] = [];
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw invalidFile(code === 'ENOENT' ? `There is no file ${path}` : `${path} cannot be read (${code})`);
  }
}

export async function openCsvFile(path: string, signal: AbortSignal): Promise<CsvFile> {
  const handle = await openFile(path);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw invalidFile(`${path} is ${found.isDirectory() ? 'a folder' : 'not a file'}`);
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(chunkSize), position: 0 });
    const bytes = handle.createReadStream({ start: 0, autoClose: false, highWaterMark: chunkSize, signal });
    const lines = readLines(handle, bytes, delimiterOf(buffer.toString('utf8', 0, bytesRead)));
    const { value: header } = await lines.next();
    if (!header) throw invalidFile('The file is empty');
    return {
      header: header.values,
      size: found.size,
      fractionRead: () => bytes.bytesRead / found.size,
      batches: () => inBatches(lines),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

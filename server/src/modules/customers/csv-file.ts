import type { ReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '../../http/errors.ts';
import { type CsvLine, createCsvScanner } from './csv-scanner.ts';
import { createUtf8Check } from './utf8.ts';

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

type Delimiter = ',' | ';';

const refused = (text: string) => new AppError('VALIDATION_FAILED', text);

/** In the header alone, where neither stands in a name. */
function delimiterOf(head: string): Delimiter {
  const [firstLine = ''] = head.trimStart().split(/[\r\n]/, 1);
  const unquoted = firstLine.replace(/"[^"]*"/g, '');
  return unquoted.split(';').length > unquoted.split(',').length ? ';' : ',';
}

async function* readBatches(chunks: AsyncIterable<Buffer>, delimiter: Delimiter): AsyncGenerator<CsvLine[]> {
  const scanner = createCsvScanner(delimiter);
  const check = createUtf8Check();
  let isHeaderRead = false;
  const linesOf = (chunk: Buffer, isLast: boolean) => {
    const lines = scanner.scan(check(chunk, isLast).toString(), isLast);
    if (isHeaderRead || lines.length === 0) return lines;
    isHeaderRead = true;
    return lines.slice(1);
  };
  for await (const chunk of chunks) yield linesOf(chunk, false);
  yield linesOf(Buffer.alloc(0), true);
}

function readHeader(head: string, delimiter: Delimiter, isLast: boolean): string[] {
  const [header] = createCsvScanner(delimiter).scan(head, isLast, 1);
  if (!header) throw refused('The file is empty');
  return header.values;
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
    const isAll = bytesRead < chunkSize;
    const head = createUtf8Check()(buffer.subarray(0, bytesRead), isAll).toString();
    const delimiter = delimiterOf(head);
    const header = readHeader(head, delimiter, isAll);
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

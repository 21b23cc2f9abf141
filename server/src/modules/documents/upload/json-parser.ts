import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, fieldError } from '../../../http/errors.ts';
import { decodeUtf8, refuseDepth } from '../../../http/json.ts';
import { Base64Decoder } from './base64-decoder.ts';
import { fileTooLarge, maxFieldBytes } from './incoming-file.ts';

const [quote, backslash, open, close, openList, closeList, colon, comma] = Buffer.from('"\\{}[]:,');

const fileKey = 'file_data';
/** Every letter as an escape, and one more to tell a longer key apart. */
const maxKeyLength = 6 * fileKey.length + 1;

/** A key may contain escapes, too. */
function keyOf(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return '';
  }
}

/**
 * Reads a JSON object as a stream and takes the file out of it: the base64 of `file_data`, nearly all of its
 * bytes. What remains is a small text for the default parser.
 */
export class UploadJsonReader {
  readonly #text: Buffer[] = [];
  readonly #expectedLength: number;
  #textLength = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The current or last string at the top level, truncated. */
  #string = '';
  /** The next value is the file. */
  #isFileNext = false;
  #hasFileKey = false;
  #isReadingFile = false;
  file: Base64Decoder | undefined;

  /** The length of the whole text, if known. */
  constructor(textLength = 0) {
    this.#expectedLength = Math.ceil(textLength / 4) * 3;
  }

  push(chunk: Buffer): void {
    let kept = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.file && this.#isReadingFile) {
        const { next, ended } = this.file.take(chunk, at);
        at = next;
        kept = at;
        if (ended) this.#endFile();
        continue;
      }
      const byte = chunk[at] ?? 0;
      at += 1;
      if (this.#isInString) this.#readStringByte(byte);
      else if (byte === quote && this.#depth === 1 && this.#isFileNext) {
        this.#keep(chunk.subarray(kept, at - 1));
        this.file = new Base64Decoder(this.#expectedLength);
        this.#isReadingFile = true;
      } else this.#readByte(byte);
    }
    if (!this.#isReadingFile) this.#keep(chunk.subarray(kept));
  }

  /** The object with null in place of its file. */
  text(): Buffer {
    return Buffer.concat(this.#text);
  }

  #keep(text: Buffer): void {
    this.#textLength += text.length;
    if (this.#textLength > maxFieldBytes) throw new AppError('REQUEST_TOO_LARGE', 'The request is too large');
    if (text.length > 0) this.#text.push(text);
  }

  #endFile(): void {
    this.#isReadingFile = false;
    this.#isFileNext = false;
    this.#keep(Buffer.from('null'));
  }

  #readStringByte(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      this.#isInString = false;
      return;
    }
    if (this.#depth === 1 && this.#string.length < maxKeyLength) this.#string += String.fromCharCode(byte);
  }

  #readByte(byte: number): void {
    if (byte === quote) {
      this.#isInString = true;
      this.#string = '';
    } else if (byte === open || byte === openList) refuseDepth(++this.#depth);
    else if (byte === close || byte === closeList) this.#depth -= 1;
    else if (byte === colon && this.#depth === 1) this.#endKey();
    else if (byte === comma && this.#depth === 1) this.#isFileNext = false;
  }

  #endKey(): void {
    this.#isFileNext = keyOf(this.#string) === fileKey;
    this.#string = '';
    // Each would allocate a file of its own, and thousands of them fit into one body.
    if (this.#isFileNext && this.#hasFileKey) throw fieldError(fileKey, `${fileKey} was sent twice`);
    this.#hasFileKey ||= this.#isFileNext;
  }
}

async function readToEnd(body: IncomingMessage, limit: number): Promise<UploadJsonReader> {
  const declaredLength = Number(body.headers['content-length'] ?? 0);
  if (declaredLength > limit) throw fileTooLarge();
  const reader = new UploadJsonReader(declaredLength);
  let received = 0;
  for await (const chunk of body) {
    received += chunk.length;
    if (received > limit) throw fileTooLarge();
    reader.push(chunk);
  }
  return reader;
}

function bytesOf(file: Base64Decoder): Buffer {
  const bytes = file.bytes();
  if (!bytes) throw fieldError(fileKey, `${fileKey} must be the content of the file in base64`);
  return bytes;
}

/** Replaces the parser that waits for the whole body: the same object, with the bytes of its file. */
export function registerJsonParser(app: FastifyInstance, limit: number): void {
  const parse = promisify(app.getDefaultJsonParser('error', 'error'));
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', async (request: FastifyRequest, body: IncomingMessage) => {
    const reader = await readToEnd(body, limit);
    const text = decodeUtf8(reader.text());
    if (text === '') return undefined;
    const object: object = await parse(request, text);
    return reader.file ? { ...object, [fileKey]: bytesOf(reader.file) } : object;
  });
}

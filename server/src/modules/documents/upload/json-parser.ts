import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, fieldError } from '../../../http/errors.ts';
import { decodeUtf8 } from '../../../http/json.ts';
import { Base64Part } from './base64-part.ts';
import { fileTooLarge, takenOut } from './command.ts';

const [quote, backslash, open, close, openList, closeList, colon, comma] = Buffer.from('"\\{}[]:,');

/** For all that is not the file: many times what the other fields may hold. */
export const roomForFields = 512 * 1024;

const fileKey = 'file_data';
/** Each of its letters as an escape, and one more to tell that a longer key is another. */
const keptOfString = 6 * fileKey.length + 1;

/** A key may be written with escapes, too. */
function keyOf(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return '';
  }
}

/**
 * Reads a JSON object as it arrives and takes the file out of it: the value of `file_data`, base64, which is
 * all but a few hundred bytes of it. What remains is a small text for the ordinary parser.
 */
export class UploadJsonReader {
  readonly #text: Buffer[] = [];
  readonly #expectedLength: number;
  #textLength = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The string that is being read at the top level, or was read last, as far as it matters. */
  #string = '';
  /** The next value belongs to the file. */
  #isFileNext = false;
  #hasFileKey = false;
  #isReadingFile = false;
  file: Base64Part | undefined;

  /** Of the whole text, as far as it is known. */
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
        if (ended) this.#endFile(this.file);
        continue;
      }
      const byte = chunk[at] ?? 0;
      at += 1;
      if (this.#isInString) this.#readStringByte(byte);
      else if (byte === quote && this.#depth === 1 && this.#isFileNext) {
        this.#keep(chunk.subarray(kept, at - 1));
        this.file = new Base64Part(this.#expectedLength);
        this.#isReadingFile = true;
      } else this.#readByte(byte);
    }
    if (!this.#isReadingFile) this.#keep(chunk.subarray(kept));
  }

  /** The object without its file. */
  text(): Buffer {
    return Buffer.concat(this.#text);
  }

  #keep(text: Buffer): void {
    this.#textLength += text.length;
    if (this.#textLength > roomForFields) throw new AppError('REQUEST_TOO_LARGE', 'The request is too large');
    if (text.length > 0) this.#text.push(text);
  }

  #endFile(file: Base64Part): void {
    this.#isReadingFile = false;
    this.#isFileNext = false;
    this.#keep(Buffer.from(file.isEmpty ? '""' : `"${takenOut}"`));
  }

  #readStringByte(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      this.#isInString = false;
      return;
    }
    if (this.#depth === 1 && this.#string.length < keptOfString) this.#string += String.fromCharCode(byte);
  }

  #readByte(byte: number): void {
    if (byte === quote) {
      this.#isInString = true;
      this.#string = '';
    } else if (byte === open || byte === openList) this.#depth += 1;
    else if (byte === close || byte === closeList) this.#depth -= 1;
    else if (byte === colon && this.#depth === 1) this.#endKey();
    else if (byte === comma && this.#depth === 1) this.#isFileNext = false;
  }

  #endKey(): void {
    this.#isFileNext = keyOf(this.#string) === fileKey;
    this.#string = '';
    // Each would need room for a file of its own, and thousands of them fit into one body.
    if (this.#isFileNext && this.#hasFileKey) throw fieldError(fileKey, `${fileKey} was sent twice`);
    this.#hasFileKey ||= this.#isFileNext;
  }
}

async function readUpload(request: FastifyRequest, body: IncomingMessage, limit: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) throw fileTooLarge();
  const reader = new UploadJsonReader(announced);
  let received = 0;
  for await (const chunk of body) {
    received += chunk.length;
    if (received > limit) throw fileTooLarge();
    reader.push(chunk);
  }
  request.uploadedFile = reader.file?.bytes() ?? null;
  return reader.text();
}

/** In place of the parser that waits for the whole body. */
export function readJsonAsItComes(app: FastifyInstance, limit: number): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', (request, body: IncomingMessage, done) => {
    readUpload(request, body, limit).then(
      (text) => {
        if (text.length === 0) return done(null, undefined);
        try {
          parse(request, decodeUtf8(text), done);
        } catch (error) {
          done(error as Error);
        }
      },
      (error) => done(error),
    );
  });
}

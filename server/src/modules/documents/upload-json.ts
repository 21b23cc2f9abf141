import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { decodeUtf8 } from '../../http/json.ts';
import { Base64Part } from './base64-part.ts';
import { fileTooLarge, takenOut } from './upload.ts';

const [quote, backslash, open, close, openList, closeList, colon, comma] = Buffer.from('"\\{}[]:,');

/**
 * Reads a JSON object as it arrives and takes the file out of it: the value of `file_data`, base64, which is
 * all but a few hundred bytes of it. What remains is a small text for the ordinary parser.
 */
export class UploadJsonReader {
  readonly #text: Buffer[] = [];
  readonly #expectedLength: number;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The string that is being read at the top level, or was read last. */
  #string = '';
  /** The key whose value comes next. */
  #key = '';
  #reading: Base64Part | undefined;
  file: Base64Part | undefined;

  /** Of the whole text, as far as it is known. */
  constructor(textLength = 0) {
    this.#expectedLength = Math.ceil(textLength / 4) * 3;
  }

  push(chunk: Buffer): void {
    let kept = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.#reading) {
        const { next, ended } = this.#reading.take(chunk, at);
        at = next;
        kept = at;
        if (ended) this.#endFile(this.#reading);
        continue;
      }
      const byte = chunk[at] ?? 0;
      at += 1;
      if (this.#isInString) this.#readStringByte(byte);
      else if (byte === quote && this.#depth === 1 && this.#key === 'file_data') {
        this.#text.push(chunk.subarray(kept, at - 1));
        this.#reading = new Base64Part(this.#expectedLength);
      } else this.#readByte(byte);
    }
    if (!this.#reading && kept < chunk.length) this.#text.push(chunk.subarray(kept));
  }

  /** The object without its file. */
  text(): Buffer {
    return Buffer.concat(this.#text);
  }

  #endFile(file: Base64Part): void {
    // Of two with the same name the last one counts, as everywhere in JSON; but what was broken stays so.
    if (!this.file?.isBroken) this.file = file;
    this.#reading = undefined;
    this.#key = '';
    this.#text.push(Buffer.from(file.isEmpty ? '""' : `"${takenOut}"`));
  }

  #readStringByte(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      this.#isInString = false;
      return;
    }
    // Longer than the key that matters is long enough to tell that it is another.
    if (this.#string.length < 10) this.#string += String.fromCharCode(byte);
  }

  #readByte(byte: number): void {
    if (byte === quote) {
      this.#isInString = true;
      this.#string = '';
    } else if (byte === open || byte === openList) this.#depth += 1;
    else if (byte === close || byte === closeList) this.#depth -= 1;
    else if (byte === colon && this.#depth === 1) this.#key = this.#string;
    else if (byte === comma && this.#depth === 1) this.#key = '';
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

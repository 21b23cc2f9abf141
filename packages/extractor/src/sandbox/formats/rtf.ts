import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import iconv from 'iconv-lite';
import { Tokenize } from 'rtf-stream-parser';
import { ToPlainText } from 'rtf-stream-parser/dist/src/ToPlainText.js';
import { readingOf } from '../pages.ts';
import type { Format } from '../port.ts';

const decode = (bytes: Buffer, charset: string) =>
  iconv.decode(bytes, iconv.encodingExists(charset) ? charset : 'win1252');

export const rtf: Format = {
  matches: (bytes) => bytes.toString('latin1', 0, 5) === '{\\rtf',
  async read(bytes) {
    const pieces: string[] = [];
    await pipeline(
      Readable.from([bytes]),
      new Tokenize(),
      new ToPlainText({ decode, warn: () => undefined }),
      async (texts: AsyncIterable<string>) => {
        for await (const text of texts) pieces.push(text);
      },
    );
    return readingOf(pieces.join(''));
  },
};

import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import iconv from 'iconv-lite';
import { readingOf } from '../pages.ts';
import type { Format } from '../port.ts';

// Enough for chardet to recognise the encoding.
const sampleBytes = 64 * 1024;

/** Old programs write the code page of their country without a mark. */
function encodingOf(bytes: Buffer): string {
  const mark = bytes.toString('latin1', 0, 2);
  if (mark === '\xff\xfe') return 'utf-16le';
  if (mark === '\xfe\xff') return 'utf-16be';
  if (isUtf8(bytes)) return 'utf-8';
  const guess = chardet.detect(bytes.subarray(0, sampleBytes));
  return guess && iconv.encodingExists(guess) ? guess : 'win1252';
}

export const decodeText = (bytes: Buffer) => iconv.decode(bytes, encodingOf(bytes));

export const txt: Format = {
  matches: () => true,
  read: async (bytes) => readingOf(decodeText(bytes)),
};

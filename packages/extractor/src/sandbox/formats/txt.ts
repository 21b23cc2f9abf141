import iconv from 'iconv-lite';
import { readingOf } from '../pages.ts';
import type { Format } from '../port.ts';
import { encodingOf } from './text-encoding.ts';

export const decodeText = (bytes: Buffer) => iconv.decode(bytes, encodingOf(bytes));

export const txt: Format = {
  matches: () => true,
  read: async (bytes) => readingOf(decodeText(bytes)),
};

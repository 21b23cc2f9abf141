import { readingOf } from '../pages.ts';
import type { Format } from '../port.ts';
import { RtfReader } from './rtf-reader.ts';

export const rtf: Format = {
  matches: (bytes) => bytes.toString('latin1', 0, 5) === '{\\rtf',
  read: async (bytes) => readingOf(new RtfReader().read(bytes)),
};

import { readingOf } from '../pages.ts';
import type { Format } from '../port.ts';
import { MarkupReader } from './word-markup.ts';

const encodings: Record<string, string> = {
  '\xff\xfe': 'utf-16le',
  '<\0': 'utf-16le',
  '\xfe\xff': 'utf-16be',
  '\0<': 'utf-16be',
};

const decode = (bytes: Buffer) =>
  new TextDecoder(encodings[bytes.toString('latin1', 0, 2)] ?? 'utf-8').decode(bytes);

/** A Word document in a single XML file. */
export const wordXml: Format = {
  matches: (bytes) => /^\s*<\?xml.*(wordDocument|xmlPackage)/s.test(decode(bytes.subarray(0, 16 * 1024))),
  async read(bytes) {
    const reader = new MarkupReader();
    reader.write(decode(bytes));
    return readingOf(reader.end());
  },
};

import WordExtractor from 'word-extractor';
import { readingOf } from '../pages.ts';
import type { Format } from '../port.ts';

const signature = Buffer.from('d0cf11e0a1b11ae1', 'hex');

export const doc: Format = {
  matches: (bytes) => bytes.subarray(0, signature.length).equals(signature),
  async read(bytes) {
    const document = await new WordExtractor().extract(bytes);
    return readingOf(
      [
        document.getBody(),
        document.getTextboxes(),
        document.getHeaders(),
        document.getFootnotes(),
        document.getEndnotes(),
        document.getAnnotations(),
      ].join('\n'),
    );
  },
};

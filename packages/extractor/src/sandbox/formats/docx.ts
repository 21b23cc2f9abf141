import { fromBufferPromise } from 'yauzl';
import { withoutPadding } from '../../zip-padding.ts';
import { readingOf } from '../pages.ts';
import type { Format } from '../port.ts';
import { MarkupReader } from './word-markup.ts';

/** The parts with text, in reading order. */
const parts = ['document', 'header', 'footer', 'footnotes', 'endnotes', 'comments'];
const partName = new RegExp(`/(${parts.join('|')})\\d*\\.xml$`, 'i');

const rankOf = (name: string) => parts.indexOf(partName.exec(name)?.[1]?.toLowerCase() ?? '');

async function readParts(bytes: Buffer): Promise<string[]> {
  const zip = await fromBufferPromise(withoutPadding(bytes));
  const found: { rank: number; text: string }[] = [];
  for await (const entry of zip.eachEntry()) {
    const rank = rankOf(`/${entry.fileName}`);
    if (rank === -1) continue;
    const reader = new MarkupReader();
    const decoder = new TextDecoder();
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      reader.write(decoder.decode(chunk as Buffer, { stream: true }));
    }
    found.push({ rank, text: reader.end() });
  }
  return found.sort((a, b) => a.rank - b.rank).map(({ text }) => text);
}

export const docx: Format = {
  matches: (bytes) => bytes.toString('latin1', 0, 4) === 'PK\x03\x04',
  read: async (bytes) => readingOf((await readParts(bytes)).join('\n')),
};

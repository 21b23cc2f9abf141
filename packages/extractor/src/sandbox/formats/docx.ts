import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { SaxesParser } from 'saxes';
import { fromBufferPromise } from 'yauzl';
import { withoutPadding } from '../../zip-padding.ts';
import { readingOf } from '../pages.ts';
import type { Format } from '../port.ts';
import { textOfChunk } from './docx-chunks.ts';
import { MarkupReader } from './word-markup.ts';

type Part = { bytes: number; open(): Promise<Readable> };
/** By lower-case name, as Word compares names. */
type Parts = Map<string, Part>;

async function openParts(bytes: Buffer): Promise<Parts> {
  const zip = await fromBufferPromise(withoutPadding(bytes));
  const parts: Parts = new Map();
  for await (const entry of zip.eachEntry()) {
    const open = () => zip.openReadStreamPromise(entry);
    parts.set(entry.fileName.toLowerCase(), { bytes: entry.uncompressedSize, open });
  }
  return parts;
}

async function parse(part: Part, parser: { write(text: string): unknown }): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of await part.open())
    parser.write(decoder.decode(chunk as Buffer, { stream: true }));
}

/** One after the other: a part that is open needs memory. */
async function textsOf(parts: Part[]): Promise<string[]> {
  const texts: string[] = [];
  for (const part of parts) {
    const reader = new MarkupReader();
    await parse(part, reader);
    texts.push(reader.end());
  }
  return texts;
}

const namesLike = (...names: string[]) => names.map((name) => new RegExp(`(?:^|/)${name}\\d*\\.xml$`));

/** In reading order. */
const textParts = namesLike('document', 'header', 'footer', 'footnotes', 'endnotes', 'comments');
const drawingParts = namesLike('charts/chart', 'charts/chartex', 'diagrams/data');

const partsLike = (parts: Parts, patterns: RegExp[]) =>
  patterns.flatMap((pattern) => [...parts].filter(([name]) => pattern.test(name)).map(([, part]) => part));

const relationships = /(?:^|\/)_rels\/(?:document|header|footer)\d*\.xml\.rels$/;
const chunkType = /\/aFChunk$/;

/** Files of other formats that Word inserts when it opens the document. */
async function chunksIn(parts: Parts): Promise<Set<Part>> {
  const chunks = new Set<Part>();
  for (const [name, part] of parts) {
    if (!relationships.test(name)) continue;
    const parser = new SaxesParser();
    parser.on('opentag', ({ attributes: { Type = '', Target = '' } }) => {
      const path = posix.resolve('/', posix.dirname(posix.dirname(name)), Target);
      const chunk = chunkType.test(Type) ? parts.get(path.slice(1).toLowerCase()) : undefined;
      if (chunk) chunks.add(chunk);
    });
    await parse(part, parser);
  }
  return chunks;
}

/** The check of uploads does not look into chunks. */
const maxChunkBytes = 20 * 1024 * 1024;

const isZip = (bytes: Buffer) => bytes.toString('latin1', 0, 4) === 'PK\x03\x04';

async function textsOfChunks(parts: Parts): Promise<string[]> {
  const texts: string[] = [];
  let bytesLeft = maxChunkBytes;
  for (const part of await chunksIn(parts)) {
    bytesLeft -= part.bytes;
    if (bytesLeft < 0) break;
    const bytes = await buffer(await part.open());
    texts.push(isZip(bytes) ? await textOfDocxChunk(bytes) : textOfChunk(bytes));
  }
  return texts;
}

/** Without its own chunks and drawings. */
async function textOfDocxChunk(bytes: Buffer): Promise<string> {
  const parts = partsLike(await openParts(bytes), textParts);
  const size = parts.reduce((sum, part) => sum + part.bytes, 0);
  return size > maxChunkBytes ? '' : (await textsOf(parts)).join('\n');
}

/** What a damaged part beside the text has is lost, the text is not. */
const orNothing = (texts: Promise<string[]>) => texts.catch(() => []);

export const docx: Format = {
  matches: isZip,
  async read(bytes) {
    const parts = await openParts(bytes);
    const texts = await textsOf(partsLike(parts, textParts));
    texts.push(...(await orNothing(textsOfChunks(parts))));
    for (const drawing of partsLike(parts, drawingParts))
      texts.push(...(await orNothing(textsOf([drawing]))));
    return readingOf(texts.join('\n'));
  },
};

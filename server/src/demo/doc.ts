import { compoundFile } from './compound-file.ts';
import {
  documentProperties,
  fontTable,
  pieceTable,
  sectionLook,
  sectionTable,
  styleSheet,
  titleLook,
} from './doc-tables.ts';
import { longs, shorts } from './little-endian.ts';

/** Word 97: the first format with Unicode text, and the one that every reader of .doc understands. */
const FORMAT_VERSION = 0x00c1;
const WORD_CLASS_ID = Buffer.from('0609020000000000c000000000000046', 'hex');

const TEXT_OFFSET = 1024;
const PAGE_BYTES = 512;
const PARAGRAPHS_PER_PAGE = 29;
const PARAGRAPH_LOOK_BYTES = 13;

interface LookPage {
  from: number;
  to: number;
  bytes: Buffer;
}

/**
 * A Word file is a compound file of two streams: the main one with a header, the text and pages that say
 * how stretches of the text look, and a second one with tables that the header points to.
 */
export function docFile(title: string, paragraphs: string[]): Buffer {
  const texts = [title, ...paragraphs].map((text) => `${text.toWellFormed().replace(/\p{Cc}+/gu, ' ')}\r`);
  const characters = texts.join('').length;
  const bounds = paragraphBounds(texts);
  const looks = [characterPage(bounds), ...paragraphPages(bounds)];
  const firstPage = Math.ceil((TEXT_OFFSET + characters * 2) / PAGE_BYTES);
  const sectionOffset = (firstPage + looks.length) * PAGE_BYTES;
  // The key is the place in the header's list of tables.
  const tables = new Map([
    [1, styleSheet()],
    [6, sectionTable(characters, sectionOffset)],
    [12, pageIndex(looks.slice(0, 1), firstPage)],
    [13, pageIndex(looks.slice(1), firstPage + 1)],
    [15, fontTable('Arial')],
    [31, documentProperties()],
    [33, pieceTable(characters, TEXT_OFFSET)],
  ]);
  const main = Buffer.concat([
    fileHeader(characters, sectionOffset + sectionLook().length, tables),
    Buffer.concat([Buffer.from(texts.join(''), 'utf16le')], firstPage * PAGE_BYTES - TEXT_OFFSET),
    ...looks.map((page) => page.bytes),
    sectionLook(),
  ]);
  return compoundFile(
    WORD_CLASS_ID,
    { name: 'WordDocument', content: main },
    { name: '1Table', content: Buffer.concat([...tables.values()]) },
  );
}

/** Where each paragraph starts in the main stream, and where the last one ends. */
function paragraphBounds(texts: string[]): number[] {
  let offset = TEXT_OFFSET;
  return [TEXT_OFFSET, ...texts.map((text) => (offset += text.length * 2))];
}

function fileHeader(characters: number, mainBytes: number, tables: Map<number, Buffer>): Buffer {
  const usesSecondTableStream = 0x0200;
  const hasUnicodeText = 0x1000;
  const noQuickSaves = 0x00f0;
  const flags = usesSecondTableStream | hasUnicodeText | noQuickSaves;
  const english = 0x0409;
  const textEnd = TEXT_OFFSET + characters * 2;
  const base = Buffer.concat([
    shorts(0xa5ec, FORMAT_VERSION, 0, english, 0, flags, 0x00bf, 0, 0, 0, 0, 0),
    longs(TEXT_OFFSET, textEnd),
  ]);
  const words = shorts(14, ...Array<number>(13).fill(0), english);
  const counts = Buffer.concat([shorts(22), longs(mainBytes, 0, 0, characters), Buffer.alloc(18 * 4)]);
  const pairs = Buffer.alloc(93 * 8);
  let offset = 0;
  for (const [place, table] of tables) {
    longs(offset, table.length).copy(pairs, place * 8);
    offset += table.length;
  }
  return Buffer.concat([base, words, counts, shorts(93), pairs, shorts(0)], TEXT_OFFSET);
}

/** Two stretches: the title in its own look, all the rest as the style says. */
function characterPage(bounds: number[]): LookPage {
  const [start = 0, titleEnd = 0] = bounds;
  const end = bounds.at(-1) ?? 0;
  const stretches = titleEnd === end ? [start, end] : [start, titleEnd, end];
  const bytes = Buffer.alloc(PAGE_BYTES);
  longs(...stretches).copy(bytes);
  // The look sits at the end of the page, at an even offset that is noted in halves.
  const lookPlace = Math.floor((PAGE_BYTES - 2 - titleLook.length) / 2);
  const lookOffset = lookPlace * 2;
  bytes.writeUInt8(lookPlace, stretches.length * 4);
  bytes.writeUInt8(titleLook.length, lookOffset);
  titleLook.copy(bytes, lookOffset + 1);
  bytes.writeUInt8(stretches.length - 1, PAGE_BYTES - 1);
  return { from: start, to: end, bytes };
}

/** An entry of zeros gives a paragraph the look of the first style. */
function paragraphPages(bounds: number[]): LookPage[] {
  const pages: LookPage[] = [];
  for (let first = 0; first < bounds.length - 1; first += PARAGRAPHS_PER_PAGE) {
    const stretches = bounds.slice(first, first + PARAGRAPHS_PER_PAGE + 1);
    const count = stretches.length - 1;
    const bytes = Buffer.concat(
      [longs(...stretches), Buffer.alloc(count * PARAGRAPH_LOOK_BYTES)],
      PAGE_BYTES,
    );
    bytes.writeUInt8(count, PAGE_BYTES - 1);
    pages.push({ from: stretches[0] ?? 0, to: stretches.at(-1) ?? 0, bytes });
  }
  return pages;
}

function pageIndex(pages: LookPage[], firstPage: number): Buffer {
  const starts = pages.map((page) => page.from);
  const end = pages.at(-1)?.to ?? 0;
  return longs(...starts, end, ...pages.map((_, index) => firstPage + index));
}

import type { DocFile } from './doc-header.ts';

/** What the formats say about each byte of the stream with the text. */
export type Marks = {
  /** Deleted while changes were tracked, or in place of a symbol. */
  isHidden: Uint8Array;
  isRowEnd: Uint8Array;
  /** Of the font; 0 where Word 97 needs none or Word 6 does not say. */
  charset: Uint8Array;
};

const pageBytes = 512;

/**
 * Formats are on pages of the stream, for paragraphs and for characters. A page lists runs of text, and where on the
 * page the changes to their style are.
 */
function* runsOf({ stream, isWord97 }: DocFile, listOfPages: Buffer, entryBytes: number) {
  const numberBytes = isWord97 ? 4 : 2;
  const pages = Math.floor((listOfPages.length - 4) / (4 + numberBytes));
  const seen = new Set<number>();
  for (let index = 0; index < pages; index += 1) {
    const number = listOfPages.readUIntLE((pages + 1) * 4 + index * numberBytes, numberBytes);
    const page = stream.subarray(number * pageBytes, (number + 1) * pageBytes);
    // Only a hostile file lists a page twice.
    if (seen.has(number) || page.length < pageBytes) continue;
    seen.add(number);
    const runs = page.readUInt8(pageBytes - 1);
    for (let run = 0; run < runs; run += 1) {
      const entry = (runs + 1) * 4 + run * entryBytes;
      if (entry >= pageBytes) break;
      const changes = page.subarray(2 * page.readUInt8(entry));
      yield { from: page.readUInt32LE(run * 4), to: page.readUInt32LE(run * 4 + 4), changes };
    }
  }
}

/** The operand begins with its length. */
const variable = -1;

/** The length of the operand in Word 97, by the highest three bits of the change. */
const operands97 = [1, 1, 2, 4, 2, 2, variable, 3];

const all = (bytes: number, ...changes: number[]) => changes.map((change) => [change, bytes] as const);

/** The length of the operand in Word 6, where it is not 1. */
const operands6 = new Map<number, number>([
  ...all(0, 52, 83),
  ...all(
    2,
    2,
    16,
    17,
    18,
    19,
    21,
    22,
    26,
    27,
    28,
    30,
    31,
    32,
    33,
    34,
    35,
    36,
    38,
    39,
    40,
    41,
    42,
    43,
    45,
    46,
  ),
  ...all(2, 47, 48, 49, 69, 72, 80, 93, 96, 97, 99, 101, 107, 109, 110, 111, 112),
  ...all(3, 73, 95),
  ...all(4, 20, 70),
  ...all(variable, 3, 12, 15, 23, 64, 68, 74, 77, 79, 81, 82, 103, 105, 106, 108, 113, 115, 116),
]);

/** The numbers of the changes that matter here. */
const known97 = { deleted: 0x0800, symbol: 0x6a09, rowEnd: 0x2417, font: undefined };
const known6 = { deleted: 65, symbol: 74, rowEnd: 25, font: 93 };

/** The changes with the first byte of their operand, which is enough here. */
function* changesIn(list: Buffer, isWord97: boolean): Generator<[change: number, operand: number]> {
  const numberBytes = isWord97 ? 2 : 1;
  for (let at = 0; at + numberBytes < list.length; ) {
    const change = list.readUIntLE(at, numberBytes);
    at += numberBytes;
    const operand = list.readUInt8(at);
    yield [change, operand];
    const bytes = (isWord97 ? operands97[change >> 13] : operands6.get(change)) ?? 1;
    at += bytes === variable ? 1 + operand : bytes;
  }
}

/** After their length, and the number of the style. */
function changesOfParagraph(changes: Buffer, isWord97: boolean): Buffer {
  const [words = 0, evenWords = 0] = changes;
  // Word 97 writes even lengths in the second byte.
  return words === 0 && isWord97 ? changes.subarray(4, 2 + 2 * evenWords) : changes.subarray(3, 2 * words);
}

const changesOfCharacters = (changes: Buffer) => changes.subarray(1, 1 + (changes[0] ?? 0));

/** Word 6 and 95 keep letters as bytes, and fonts say what they mean. */
function charsetsOfFonts(fonts: Buffer): number[] {
  const charsets: number[] = [];
  for (let at = 2; at + 4 < fonts.length; at += 1 + fonts.readUInt8(at))
    charsets.push(fonts.readUInt8(at + 4));
  return charsets;
}

/** Formats of a valid file do not overlap: there are three marks for each byte. */
const maxMarksPerByte = 3;

export function readMarks(file: DocFile): Marks {
  const { isWord97, stream } = file;
  const known = isWord97 ? known97 : known6;
  const charsets = isWord97 ? [] : charsetsOfFonts(file.table('fonts'));
  const marks: Marks = {
    isHidden: new Uint8Array(stream.length),
    isRowEnd: new Uint8Array(stream.length),
    charset: new Uint8Array(stream.length).fill(charsets[0] ?? 0),
  };
  let marksLeft = stream.length * maxMarksPerByte;
  const mark = (kind: keyof Marks, value: number, from: number, to: number) => {
    marksLeft -= Math.max(to - from, 0);
    if (marksLeft >= 0) marks[kind].fill(value, from, to);
  };
  for (const { from, to, changes } of runsOf(file, file.table('characterFormats'), 1)) {
    for (const [change, operand] of changesIn(changesOfCharacters(changes), isWord97)) {
      if (change === known.symbol || (change === known.deleted && operand === 1))
        mark('isHidden', 1, from, to);
      if (change === known.font) mark('charset', charsets[operand] ?? 0, from, to);
    }
  }
  for (const { from, to, changes } of runsOf(file, file.table('paragraphFormats'), isWord97 ? 13 : 7)) {
    for (const [change, operand] of changesIn(changesOfParagraph(changes, isWord97), isWord97)) {
      if (change === known.rowEnd && operand === 1) mark('isRowEnd', 1, from, to);
    }
  }
  return marks;
}

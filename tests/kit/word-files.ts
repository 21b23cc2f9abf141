import { compoundFile, endOfChain } from './compound-file.ts';

/** A part of the text with one format. Word 6 keeps it as bytes of a code page, later versions as bytes or UTF-16. */
export type Run = {
  text: string | Buffer;
  /** Index in the list of fonts. */
  font?: number;
  isDeleted?: boolean;
  /** The text is the mark at the end of a row. */
  isRowEnd?: boolean;
};

export type WordFile = {
  version: 2 | 6 | 97;
  runs: Run[];
  /** The charset of each font. */
  fonts?: number[];
  language?: number;
  isMacintosh?: boolean;
  /** In Word 6: with a list of the runs, which are in the file in reverse order. */
  isFastSaved?: boolean;
  /** The list of pieces has the runs this often. */
  repetitions?: number;
  /** Pages of the stream that are listed as formats of characters. */
  formatPages?: number[];
};

const cellEnd = '\x07';

const headerBytes = 1024;
const pageBytes = 512;

const marks = { 2: [0xa5db, 45], 6: [0xa5dc, 101], 97: [0xa5ec, 193] } as const;

const numbers = (bytes: 2 | 4, ...values: number[]) =>
  Buffer.concat(
    values.map((value) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );

const padded = (bytes: Buffer, size: number) => Buffer.concat([bytes], Math.ceil(bytes.length / size) * size);

type Span = { from: number; to: number; changes: Buffer };

/** A page of formats: where runs end, where their changes are, and from the end the changes. */
export function formatPage(spans: Span[], entryBytes: number): Buffer {
  const page = Buffer.alloc(pageBytes);
  let free = pageBytes - 1;
  for (const [index, { from, to, changes }] of spans.entries()) {
    page.writeUInt32LE(from, index * 4);
    page.writeUInt32LE(to, index * 4 + 4);
    if (changes.length === 0) continue;
    free = (free - changes.length) & ~1;
    changes.copy(page, free);
    page.writeUInt8(free / 2, (spans.length + 1) * 4 + index * entryBytes);
  }
  page.writeUInt8(spans.length, pageBytes - 1);
  return page;
}

function changesOfCharacters({ isDeleted, font }: Run, is97: boolean): Buffer {
  const bold = is97 ? [0x35, 0x08, 1] : [85, 1];
  const deleted = is97 ? [0x00, 0x08, 1] : [65, 1];
  const changes = [...(isDeleted ? deleted : []), ...bold, ...(font === undefined ? [] : [93, font, 0])];
  return Buffer.from([changes.length, ...changes]);
}

/** After the number of the style: in a table, and the end of a row. */
function changesOfParagraph({ text, isRowEnd }: Run, is97: boolean): Buffer {
  if (!text.includes(cellEnd)) return Buffer.alloc(0);
  const inTable = is97 ? [0x16, 0x24, 1] : [24, 1];
  const rowEnd = is97 ? [0x17, 0x24, 1] : [25, 1];
  const changes = [0, 0, ...inTable, ...(isRowEnd ? rowEnd : [])];
  // The length counts words, and this byte.
  return Buffer.from([Math.ceil((changes.length + 1) / 2), ...changes, 0]);
}

/** The list of pieces, in the order of the text. */
function piecesTable(spans: { run: Run; from: number }[], is97: boolean): Buffer {
  let end = 0;
  const ends = spans.map(({ run }) => {
    end += run.text.length;
    return end;
  });
  const entries = spans.map(({ run, from }) => {
    const isBytes = is97 && Buffer.isBuffer(run.text);
    return Buffer.concat([numbers(2, 0), numbers(4, isBytes ? from * 2 + 0x40000000 : from), numbers(2, 0)]);
  });
  const table = Buffer.concat([numbers(4, 0, ...ends), ...entries]);
  return Buffer.concat([Buffer.from([1, 2, 0, 0, 0, 2]), numbers(4, table.length), table]);
}

function fontTable(charsets: number[]): Buffer {
  const fonts = charsets.map((charset) => Buffer.from([9, 0, 0, 0, charset, 0, 70, 111, 110, 0]));
  const bytes = Buffer.concat(fonts);
  return Buffer.concat([numbers(2, bytes.length + 2), bytes]);
}

/** The streams of a Word document: the text with its formats, and the tables of Word 97 and later. */
export function wordStreams(file: WordFile): { text: Buffer; tables: Buffer } {
  const is97 = file.version === 97;
  const stored = file.isFastSaved ? [...file.runs].reverse() : file.runs;
  let end = headerBytes;
  const spans = stored.map((run) => {
    const bytes = Buffer.isBuffer(run.text) ? run.text : Buffer.from(run.text, is97 ? 'utf16le' : 'latin1');
    const from = end;
    end += bytes.length;
    return { run, bytes, from, to: end };
  });
  const body = padded(Buffer.concat(spans.map(({ bytes }) => bytes)), pageBytes);
  const characters = formatPage(
    spans.map(({ run, from, to }) => ({ from, to, changes: changesOfCharacters(run, is97) })),
    1,
  );
  const paragraphs = formatPage(
    spans.map(({ run, from, to }) => ({ from, to, changes: changesOfParagraph(run, is97) })),
    is97 ? 13 : 7,
  );
  const firstPage = (headerBytes + body.length) / pageBytes;
  const pageNumberBytes = is97 ? 4 : 2;
  const inOrder = file.isFastSaved ? [...spans].reverse() : spans;
  const pieces = Array.from({ length: file.repetitions ?? 1 }, () => inOrder).flat();
  const pageList = (pages: number[]) =>
    Buffer.concat([numbers(4, ...pages.map(() => headerBytes), end), numbers(pageNumberBytes, ...pages)]);
  const tables: [index: number, bytes: Buffer][] = [
    [12, pageList(file.formatPages ?? [firstPage])],
    [13, pageList([firstPage + 1])],
    [15, fontTable(file.fonts ?? [0])],
  ];
  if (is97 || file.isFastSaved) tables.push([33, piecesTable(pieces, is97)]);

  const header = Buffer.alloc(headerBytes);
  const [mark, version] = marks[file.version];
  header.writeUInt16LE(mark, 0);
  header.writeUInt16LE(version, 2);
  header.writeUInt16LE(file.language ?? 0x409, 6);
  header.writeUInt16LE((file.isFastSaved ? 4 : 0) + (is97 ? 0x200 : 0), 10);
  header.writeUInt16LE(file.isMacintosh ? 256 : 0, 20);
  header.writeUInt32LE(headerBytes, 24);
  header.writeUInt32LE(end, 28);
  // All of it counts as the body.
  const length = file.runs.reduce((sum, { text }) => sum + text.length, 0);
  header.writeUInt32LE(length, is97 ? 0x4c : 0x34);
  const before = headerBytes + body.length + 2 * pageBytes;
  let position = is97 ? 0 : before;
  for (const [index, bytes] of file.version === 2 ? [] : tables) {
    const at = (is97 ? 0x9a : 0x58) + index * 8;
    header.writeUInt32LE(position, at);
    header.writeUInt32LE(bytes.length, at + 4);
    position += bytes.length;
  }
  const list = Buffer.concat(tables.map(([, bytes]) => bytes));
  const formatted = Buffer.concat([header, body, characters, paragraphs]);
  return { text: is97 ? formatted : Buffer.concat([formatted, list]), tables: is97 ? list : Buffer.alloc(0) };
}

/** A DOC as Word 2, Word 6 and 95, or Word 97 and later write it. */
export function wordFile(file: WordFile): Buffer {
  const { text, tables } = wordStreams(file);
  if (file.version === 2) return text;
  // Shorter streams would need a second allocation table.
  const [document, others] = [text, tables].map((bytes) =>
    padded(Buffer.concat([bytes, Buffer.alloc(4096)]), pageBytes),
  ) as [Buffer, Buffer];
  return compoundFile({
    directory: [
      { name: 'Root Entry', type: 5, child: 1, start: endOfChain },
      { name: 'WordDocument', type: 2, left: 2, start: 1, size: document.length },
      { name: '1Table', type: 2, start: 1 + document.length / pageBytes, size: others.length },
    ],
    content: Buffer.concat([document, others]),
  });
}

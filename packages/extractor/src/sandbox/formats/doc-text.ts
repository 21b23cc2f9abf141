import { codePageOf, decodeBytes } from './code-pages.ts';
import { type Marks, readMarks } from './doc-formats.ts';
import type { DocFile } from './doc-header.ts';

/** A part of the text, in bytes of the stream. */
type Piece = { from: number; to: number; bytesPerCharacter: 1 | 2 };

const changesEntry = 1;
const piecesEntry = 2;
const isByteText = 0x40000000;

/** The list of pieces, which may follow lists of changes. */
function piecesTable(tables: Buffer): Buffer {
  for (let at = 0; at + 5 < tables.length; ) {
    const kind = tables.readUInt8(at);
    if (kind === piecesEntry) return tables.subarray(at + 5, at + 5 + tables.readUInt32LE(at + 1));
    if (kind !== changesEntry) break;
    at += 3 + tables.readUInt16LE(at + 1);
  }
  return Buffer.alloc(0);
}

function* piecesOf({ stream, isWord97, table }: DocFile): Generator<Piece> {
  const pieces = piecesTable(table('pieces'));
  const count = Math.floor((pieces.length - 4) / 12);
  if (count < 1) yield { from: stream.readUInt32LE(24), to: stream.readUInt32LE(28), bytesPerCharacter: 1 };
  for (let index = 0; index < count; index += 1) {
    const characters = pieces.readUInt32LE(index * 4 + 4) - pieces.readUInt32LE(index * 4);
    const position = pieces.readUInt32LE((count + 1) * 4 + index * 8 + 2);
    const bytesPerCharacter = isWord97 && (position & isByteText) === 0 ? 2 : 1;
    const from = isWord97 && bytesPerCharacter === 1 ? (position & ~isByteText) >>> 1 : position;
    yield { from, to: from + characters * bytesPerCharacter, bytesPerCharacter };
  }
}

const sameMarks = ({ isHidden, isRowEnd, charset }: Marks, one: number, other: number) =>
  isHidden[one] === isHidden[other] && isRowEnd[one] === isRowEnd[other] && charset[one] === charset[other];

/** The parts of a piece with the same formats, decoded. */
function* textsOf(file: DocFile, marks: Marks, { from, to, bytesPerCharacter }: Piece): Generator<string> {
  const end = Math.min(to, file.stream.length);
  for (let start = from, next = from; start < end; start = next) {
    while (next < end && sameMarks(marks, start, next)) next += bytesPerCharacter;
    if (marks.isHidden[start]) continue;
    const bytes = file.stream.subarray(start, Math.min(next, end));
    const charset = marks.charset[start];
    const codePage = (charset ? codePageOf(charset) : undefined) ?? file.codePage;
    const text = bytesPerCharacter === 2 ? bytes.toString('utf16le') : decodeBytes(bytes, codePage);
    yield marks.isRowEnd[start] ? text.replaceAll(cellEnd, '\n') : text;
  }
}

const cellEnd = '\x07';

/** Word's control characters. Those that are missing here stand for pictures, notes and the like. */
const textOfControl = new Map([
  ['\t', '\t'],
  [cellEnd, '\t'],
  ...['\n', '\v', '\f', '\r', '\x0e'].map((character) => [character, '\n'] as const),
  // A hyphen that does not divide. The one that may, 0x1f, is invisible.
  ['\x1e', '-'],
]);

const field = { start: '\x13', result: '\x14', end: '\x15' };

/** Of a field only the result is shown. Fields may be inside of both their parts. */
function withoutControls(text: string): string {
  const pieces: string[] = [];
  const fields: { start: number; hasResult: boolean }[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Word uses them.
  for (const [part] of text.matchAll(/[\x00-\x1f]|[^\x00-\x1f]+/g)) {
    const innermost = fields.at(-1);
    if (part === field.start) fields.push({ start: pieces.length, hasResult: false });
    else if (part === field.result && innermost) {
      pieces.length = innermost.start;
      innermost.hasResult = true;
    } else if (part === field.end && innermost) {
      if (!innermost.hasResult) pieces.length = innermost.start;
      fields.pop();
    } else pieces.push(part >= ' ' ? part : (textOfControl.get(part) ?? ''));
  }
  return pieces.join('');
}

/** Pieces may share text, but only hostile files repeat it often. */
const maxRepetitions = 2;

/** The body, then notes, headers, comments and text boxes, as Word keeps them. */
export function textOfDoc(file: DocFile): string {
  const marks = readMarks(file);
  const texts: string[] = [];
  let bytesLeft = file.stream.length * maxRepetitions;
  for (const piece of piecesOf(file)) {
    bytesLeft -= Math.max(piece.to - piece.from, 0);
    if (bytesLeft < 0) break;
    for (const text of textsOf(file, marks, piece)) texts.push(text);
  }
  return withoutControls(texts.join(''));
}

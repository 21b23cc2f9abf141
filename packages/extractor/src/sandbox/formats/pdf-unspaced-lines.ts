import { isUnspaced } from '@customer-database/words/words';
import { type Box, type Glyphs, linesOf } from './pdf-glyphs.ts';

/*
 * In scripts without spaces between words, a word may continue on the next line, and a line break divides it. A line is
 * joined with the next one where both seem to be of the same paragraph: it is full, and the next one begins below its
 * beginning. PDFium reads a column of vertical writing as a line for each character.
 */

// In sizes of a character.
const minLength = 6;
const maxIndent = 3;
const maxLineDistance = 2.6;
const minLineDistance = 0.8;
// Punctuation that must not begin a line takes a character along.
const raggedness = 1.6;
const sameSize = 0.2;
const columnTolerance = 0.12;
const minColumn = 3;

/** A line from its first character to its last, as positions in the text and on the page. */
type Line = { from: number; to: number; first: Box; last: Box; isVertical: boolean };

// The first of them is a letter of Thai.
const unspacedLetter = (character = '') => character >= '\u0e01' && isUnspaced({ text: character });
const inColumn = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u30ff\uff00-\uffef]$/u;

const heightOf = ({ top, bottom }: Box) => top - bottom;

/** PDFium recognises some of the vertical lines. */
const isBelow = (first: Box, last: Box) =>
  Math.abs(first.left - last.left) <= columnTolerance * heightOf(first) &&
  last.top <= first.bottom + sameSize * heightOf(first);

function readLines({ characters, boxOf }: Glyphs): Line[] {
  const lines: Line[] = [];
  for (const { from, to } of linesOf(characters)) {
    const [first, last] = [boxOf(from), boxOf(to - 1)];
    if (first && last) lines.push({ from, to, first, last, isVertical: isBelow(first, last) });
  }
  return lines;
}

/** Whether a character stands directly below the one before, without the distance of lines. */
function continuesColumn({ last }: Line, { first }: Line): boolean {
  const size = last.right - last.left;
  const isNext = Math.abs(last.top - first.top - size) <= columnTolerance * size;
  return isNext && Math.abs(last.left - first.left) <= columnTolerance * size;
}

/** Makes lines of the columns of vertical writing. */
function withColumns(lines: Line[], characters: string[]): Line[] {
  const joined: Line[] = [];
  const isCharacter = ({ from, to }: Line) => to - from === 1 && inColumn.test(characters[from] ?? '');
  for (let place = 0; place < lines.length; ) {
    let end = place + 1;
    const at = (index: number) => lines[index] as Line;
    if (isCharacter(at(place)))
      while (end < lines.length && isCharacter(at(end)) && continuesColumn(at(end - 1), at(end))) end += 1;
    if (end - place >= minColumn)
      joined.push({ ...at(place), to: at(end - 1).to, last: at(end - 1).last, isVertical: true });
    else joined.push(...lines.slice(place, end));
    place = end;
  }
  return joined;
}

/** With the direction of reading to the right and the next line below. */
const turnedBack = ({ left, top, right, bottom }: Box): Box => ({
  left: -top,
  right: -bottom,
  top: right,
  bottom: left,
});

function placesOf({ first, last, isVertical }: Line): [first: Box, last: Box] {
  return isVertical ? [turnedBack(first), turnedBack(last)] : [first, last];
}

/** Whether the lines stand below each other in one paragraph, whatever their lengths are. */
function areNeighbours(line: Line | undefined, next: Line | undefined, size: number): boolean {
  if (!line || !next || line.isVertical !== next.isVertical) return false;
  const [[first, last], [nextFirst]] = [placesOf(line), placesOf(next)];
  const distance = last.bottom - nextFirst.bottom;
  return (
    Math.abs(heightOf(nextFirst) - heightOf(last)) <= sameSize * heightOf(last) &&
    distance >= minLineDistance * size &&
    distance <= maxLineDistance * size &&
    Math.abs(first.left - nextFirst.left) <= maxIndent * size
  );
}

const endOf = (line: Line) => placesOf(line)[1].right;

/** Whether it ends where its neighbours do, or further on. */
function isFull(line: Line, before: Line | undefined, next: Line, size: number): boolean {
  const [first] = placesOf(line);
  const furthest = Math.max(
    endOf(next),
    before && areNeighbours(before, line, size) ? endOf(before) : endOf(next),
  );
  return endOf(line) - first.left >= minLength * size && endOf(line) >= furthest - raggedness * size;
}

const squareLetter = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]$/u;

/** The size of the font: Chinese letters are squares, whose width is right where the height of the font is not. */
const sizeOf = (letter: string, { left, right, top, bottom }: Box) =>
  squareLetter.test(letter) ? Math.min(right - left, top - bottom) : top - bottom;

export function joinUnspacedLines(glyphs: Glyphs): void {
  const { characters } = glyphs;
  if (!characters.some((character) => unspacedLetter(character))) return;
  const lines = withColumns(readLines(glyphs), characters);
  for (const [place, line] of lines.entries()) {
    const next = lines[place + 1];
    const continues =
      next && unspacedLetter(characters[line.to - 1]) && unspacedLetter(characters[next.from]);
    const size = sizeOf(characters[line.to - 1] ?? '', line.last);
    if (continues && areNeighbours(line, next, size) && isFull(line, lines[place - 1], next, size))
      characters.fill('', line.to, next.from);
    // Line ends within a column.
    if (!line.isVertical) continue;
    for (let at = line.from; at < line.to; at += 1) if (/\s/.test(characters[at] ?? '')) characters[at] = '';
  }
}

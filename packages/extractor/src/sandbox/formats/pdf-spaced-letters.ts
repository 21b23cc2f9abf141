import { type Box, type Glyphs, linesOf, type Range } from './pdf-glyphs.ts';

/*
 * PDFium takes the gaps of s p a c e d letters for spaces. In spaced text all letters of a word have the same distance,
 * which no other text has, and the gaps between words are wider.
 */

const minLetters = 4;
const minShare = 3 / 4;
const minDifferent = 3;
// Parts of the height of the font. Letters that stand closer are not spaced, those further apart are columns.
const minGap = 0.1;
const maxGap = 0.9;
// Kerning changes distances by less, and a space is wider.
const tolerance = 0.13;

// PDFium leaves narrow pairs together.
const shortToken = /^[\p{L}\p{M}\p{P}]{1,2}$/u;
const singleLetter = /^\p{L}$/u;

/** 'a b c d' counts something. */
function isList(letters: string[]): boolean {
  return letters.every((letter, place) => place === 0 || letter > (letters[place - 1] ?? ''));
}

/** Tokens between single spaces that may be the letters of spaced words. */
function* runsOf(characters: string[], { from, to }: Range): Generator<Range> {
  let run: Range | undefined;
  let letters: string[] = [];
  let tokens = 0;
  function* finished(): Generator<Range> {
    const isSpaced = letters.length >= Math.max(minLetters, minShare * tokens) && !isList(letters);
    if (run && isSpaced && new Set(letters).size >= minDifferent) yield run;
    run = undefined;
    letters = [];
    tokens = 0;
  }
  for (let start = from; start < to; ) {
    let end = start;
    while (end < to && characters[end] !== ' ') end += 1;
    const token = end - start <= 4 ? characters.slice(start, end).join('') : '';
    if (shortToken.test(token)) {
      run = { from: run?.from ?? start, to: end };
      tokens += 1;
      if (singleLetter.test(token)) letters.push(token);
    } else yield* finished();
    start = end + 1;
  }
  yield* finished();
}

const median = (numbers: number[]) => numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? 0;

function joinRun({ characters, boxOf }: Glyphs, { from, to }: Range): void {
  const boxes: { at: number; box: Box }[] = [];
  for (let at = from; at < to; at += 1) {
    const box = characters[at] === ' ' ? undefined : boxOf(at);
    if (box) boxes.push({ at, box });
  }
  const gaps = boxes.slice(1).map(({ box }, place) => box.left - (boxes[place]?.box.right ?? 0));
  const height = median(boxes.map(({ box }) => box.top - box.bottom));
  const usual = median(gaps);
  if (usual < minGap * height || usual > maxGap * height) return;
  for (const [place, gap] of gaps.entries()) {
    if (gap > usual + tolerance * height) continue;
    characters.fill('', (boxes[place]?.at ?? 0) + 1, boxes[place + 1]?.at ?? 0);
  }
}

export function joinSpacedLetters(glyphs: Glyphs): void {
  for (const line of linesOf(glyphs.characters)) {
    for (const run of runsOf(glyphs.characters, line)) joinRun(glyphs, run);
  }
}

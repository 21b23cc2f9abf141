import type { Box, Glyphs } from './pdf-glyphs.ts';

// Parts of the height of the font.
const touching = 0.05;
// Of what is drawn: files may be wrong about the widths of letters.
const visiblyTouching = 0.15;

const letter = /^[\p{L}\p{M}]$/u;
const letterOrHyphen = /^[\p{L}\p{M}\u2010]$/u;
// Their digits are written from left to right.
const rightToLeft = /^(?!\p{N})[\p{sc=Arabic}\p{sc=Hebrew}]$/u;

function areTouching(left: Box, right: Box, leftInk: Box, rightInk: Box): boolean {
  const height = left.top - left.bottom;
  return (
    Math.abs(right.left - left.right) < touching * height &&
    rightInk.left - leftInk.right < visiblyTouching * height
  );
}

/**
 * Removes blanks between letters that touch each other. Some programs write an optional hyphen as a blank that takes no
 * place.
 */
export function removeBlanksWithoutWidth({ characters, boxOf, inkOf }: Glyphs): void {
  for (let at = 1; at < characters.length - 1; at += 1) {
    if (
      characters[at] !== ' ' ||
      !letter.test(characters[at - 1] ?? '') ||
      !letterOrHyphen.test(characters[at + 1] ?? '')
    )
      continue;
    const [before, after, inkBefore, inkAfter] = [boxOf(at - 1), boxOf(at + 1), inkOf(at - 1), inkOf(at + 1)];
    if (!before || !after || !inkBefore || !inkAfter) continue;
    const isOneWord =
      areTouching(before, after, inkBefore, inkAfter) ||
      (rightToLeft.test(characters[at + 1] ?? '') && areTouching(after, before, inkAfter, inkBefore));
    if (isOneWord) characters[at] = '';
  }
}

/** Words of Arabic and Hebrew whose letters PDFium has from left to right, as with the fonts of cairo. */
export function reverseMirroredWords({ characters, boxOf, reverse }: Glyphs): void {
  for (let from = 0; from < characters.length; ) {
    let to = from;
    while (rightToLeft.test(characters[to] ?? '')) to += 1;
    const [first, last] = to - from > 1 ? [boxOf(from), boxOf(to - 1)] : [];
    if (first && last && first.left + first.right < last.left + last.right) reverse(from, to);
    from = Math.max(to, from + 1);
  }
}

const alefs = /^[اأإآ]$/;

/** Both letters of the ligature of lam and alef have its place, and PDFium has them the other way round. */
export function reverseLigatures({ characters, boxOf, reverse }: Glyphs): void {
  for (let at = 0; at < characters.length - 1; at += 1) {
    if (characters[at + 1] !== 'ل' || !alefs.test(characters[at] ?? '')) continue;
    const box = boxOf(at);
    if (box && box.left === boxOf(at + 1)?.left) reverse(at, at + 2);
  }
}

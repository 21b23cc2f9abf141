import { languageOf } from '../language.ts';
import type { Glyphs } from './pdf-glyphs.ts';

// For a heading in such a font, OCR would misread some of the rest of the page.
const minShare = 0.3;

const meaningless = /^[\p{Co}\p{Cn}\ufffd]$/u;

const isBlank = (character: string) => character.trim() === '';

/**
 * Some fonts do not say which letters their glyphs are. PDFium then takes the numbers of the glyphs for letters. Removes
 * them if they are much of the text, unless that makes sense in a language, and says whether it did.
 */
export function removeUnmapped({ characters, isUnmapped }: Glyphs): boolean {
  const blankOrUnmapped = characters.flatMap((character, at) =>
    isBlank(character) || isUnmapped(at) || meaningless.test(character) ? [at] : [],
  );
  const unmapped = blankOrUnmapped.filter((at) => !isBlank(characters[at] ?? ''));
  const mapped = characters.length - blankOrUnmapped.length;
  if (unmapped.length === 0 || unmapped.length < minShare * (unmapped.length + mapped)) return false;
  if (languageOf(blankOrUnmapped.map((at) => characters[at]).join('')) !== null) return false;
  for (const at of unmapped) characters[at] = '';
  return true;
}

import { pdfium, textAt, withMemory } from '../pdfium.ts';

const bytesPerCharacter = 2;
const bytesPerFloat = 4;
const bytesPerDouble = 8;
const hyphen = 0xfffe;

const isLeftOut = (code: number) => code < 0x20 || (code >= 0x7f && code < 0xa0) || code === hyphen;

/** Where a character stands on the page as it is read: with `top` above `bottom` and lines from left to right. */
export type Box = { left: number; top: number; right: number; bottom: number };

/** The characters of a text, and where they stand. Mended texts have empty strings in place of some. */
export type Glyphs = {
  characters: string[];
  /** Undefined for what PDFium has added: spaces and line ends. */
  boxOf(position: number): Box | undefined;
  /** Only what is drawn of it. */
  inkOf(position: number): Box | undefined;
  /** Whether its font does not say which letter it is. */
  isUnmapped(position: number): boolean;
  /** Of the characters from one position to before another. */
  reverse(from: number, to: number): void;
};

/** Its own coordinates are those of the page before it is turned. */
function turned({ left, top, right, bottom }: Box, quarterTurns: number): Box {
  if (quarterTurns === 1) return { left: bottom, top: -left, right: top, bottom: -right };
  if (quarterTurns === 2) return { left: -right, top: -bottom, right: -left, bottom: -top };
  if (quarterTurns === 3) return { left: -top, top: right, right: -bottom, bottom: left };
  return { left, top, right, bottom };
}

/** As high as the font and as wide as the character with the space that belongs to it. */
function boxOf(textPage: number, character: number): Box | undefined {
  return withMemory(4 * bytesPerFloat, (address) => {
    if (!pdfium()._FPDFText_GetLooseCharBox(textPage, character, address)) return undefined;
    const view = new DataView(pdfium().HEAPU8.buffer, address);
    const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((at) => view.getFloat32(at, true));
    return top > bottom ? { left, top, right, bottom } : undefined;
  });
}

function inkOf(textPage: number, character: number): Box | undefined {
  return withMemory(4 * bytesPerDouble, (address) => {
    const [left, right, bottom, top] = [0, 8, 16, 24].map((at) => address + at) as [
      number,
      number,
      number,
      number,
    ];
    if (!pdfium()._FPDFText_GetCharBox(textPage, character, left, right, bottom, top)) return undefined;
    const view = new DataView(pdfium().HEAPU8.buffer);
    const at = (place: number) => view.getFloat64(place, true);
    return { left: at(left), top: at(top), right: at(right), bottom: at(bottom) };
  });
}

/**
 * Where each character of the text stands in PDFium's list, which also has control characters that it leaves out of the
 * text. PDFium's own function for one character takes as long as it has left out some before.
 */
function indexesOf(textPage: number, characters: string[], count: number): Int32Array {
  const isWhole = characters.length === count;
  const indexes = new Int32Array(characters.length);
  let index = 0;
  for (const [position, character] of characters.entries()) {
    const wanted = character.codePointAt(0);
    for (; !isWhole && index < count; index += 1) {
      const code = pdfium()._FPDFText_GetUnicode(textPage, index);
      if (code === wanted || !isLeftOut(code)) break;
    }
    indexes[position] = index;
    index += 1;
  }
  return indexes;
}

export function glyphsOf(textPage: number, count: number, quarterTurns: number): Glyphs {
  const text = withMemory((count + 1) * bytesPerCharacter, (buffer) => {
    const written = pdfium()._FPDFText_GetText(textPage, 0, count, buffer);
    return textAt(buffer, Math.max(written - 1, 0) * bytesPerCharacter);
  });
  const characters = [...text];
  const indexes = indexesOf(textPage, characters, count);
  const indexOf = (position: number) => indexes[position] ?? count;
  const turnedBox = (box: Box | undefined) => box && turned(box, quarterTurns);
  return {
    characters,
    boxOf: (position) => turnedBox(boxOf(textPage, indexOf(position))),
    inkOf: (position) => turnedBox(inkOf(textPage, indexOf(position))),
    isUnmapped: (position) => pdfium()._FPDFText_HasUnicodeMapError(textPage, indexOf(position)) === 1,
    reverse(from, to) {
      for (const [place, character] of characters.slice(from, to).reverse().entries())
        characters[from + place] = character;
      indexes.subarray(from, to).reverse();
    },
  };
}

export type Range = { from: number; to: number };

/** Without the blanks at their ends; none that is empty. */
export function* linesOf(characters: string[]): Generator<Range> {
  let from = 0;
  for (let at = 0; at <= characters.length; at += 1) {
    const character = characters[at] ?? '\n';
    if (character === ' ' && from === at) from += 1;
    if (character !== '\r' && character !== '\n') continue;
    let to = at;
    while (to > from && characters[to - 1] === ' ') to -= 1;
    if (to > from) yield { from, to };
    from = at + 1;
  }
}

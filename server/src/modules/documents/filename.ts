import { fieldError } from '../../http/errors.ts';

export const maxFilenameBytes = 255;

/**
 * Control characters, marks that change the text direction (they can make `fdp.exe` look like a PDF),
 * byte order marks and line separators. Joiners stay: emoji and Persian need them.
 */
const unwanted = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
const spaceOrDot = /[\s.]/u;
const visible = /[^\p{Z}\p{Cc}\p{M}\p{Default_Ignorable_Code_Point}.]/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The name without folders and unwanted characters; undefined if nothing usable is left. */
export function cleanFilename(raw: string): string | undefined {
  if (!raw.isWellFormed()) return undefined;
  const bare = raw.slice(Math.max(raw.lastIndexOf('/'), raw.lastIndexOf('\\')) + 1);
  const printable = bare.replace(unwanted, '').normalize('NFC').trim();
  const name = trimSpaceAndDots(printable);
  // `.pdf` is an extension without a name, and must not become a file named `pdf`.
  return hasVisibleBase(printable) && hasVisibleBase(name) ? name : undefined;
}

function hasVisibleBase(name: string): boolean {
  return visible.test(splitExtension(name)[0]);
}

/** A loop, because a pattern anchored at the end takes quadratic time on a long run of spaces. */
function trimSpaceAndDots(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && spaceOrDot.test(text.charAt(start))) start += 1;
  while (end > start && spaceOrDot.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Like `cleanFilename`, but throws an error for the user. */
export function usableFilename(raw: string): string {
  const filename = cleanFilename(raw);
  if (!filename) throw fieldError('filename', 'Filename must be the name of a file, such as document.pdf');
  if (Buffer.byteLength(filename) > maxFilenameBytes)
    throw fieldError('filename', 'Filename is too long: at most 255 bytes');
  return filename;
}

/** `report.pdf` and 2 make `report (2).pdf`. Shortens the base if the name would be too long. */
export function numberedFilename(name: string, n: number): string {
  if (n === 0) return name;
  const number = ` (${n})`;
  const [base, extension] = splitExtension(name);
  const room = maxFilenameBytes - Buffer.byteLength(number + extension);
  // An extension so long that it leaves no room for the base counts as part of the name.
  return room > 0
    ? shorten(base, room) + number + extension
    : shorten(name, maxFilenameBytes - Buffer.byteLength(number)) + number;
}

/**
 * Names with the same key are duplicates within a customer. Lower, upper and lower case again, so that letters without
 * a one-to-one counterpart match too: `STRASSE` and `straße`, both small sigmas. NFC, because some programs write
 * composed and others decomposed accents; not NFKC, which would also merge `x²` and `x2`. Unicode never changes these
 * mappings for existing letters, so stored keys stay valid.
 */
export function filenameKey(name: string): string {
  return name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

export function firstFreeFilename(name: string, taken: ReadonlySet<string>): string {
  let n = 0;
  let candidate = name;
  while (taken.has(filenameKey(candidate))) {
    n += 1;
    candidate = numberedFilename(name, n);
  }
  return candidate;
}

export function splitExtension(name: string): [base: string, extension: string] {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)];
}

function shorten(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const letters = Array.from(graphemes.segment(text), ({ segment }) => segment);
  const whole = takeWhileFitting(letters, maxBytes);
  // A letter with very many accents can exceed the limit alone: then cut between its code points.
  return (whole || takeWhileFitting(text, maxBytes)).trimEnd();
}

function takeWhileFitting(pieces: Iterable<string>, maxBytes: number): string {
  let taken = '';
  let room = maxBytes;
  for (const piece of pieces) {
    room -= Buffer.byteLength(piece);
    if (room < 0) break;
    taken += piece;
  }
  return taken;
}

import { COMPOUND_FILE_SIGNATURE } from './compound-file.ts';
import type { Tag } from './xml.ts';

const decodePercents = (name: string) =>
  name.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Whether a part is called what Word calls its macros, or any part has the type of such. */
export function namesMacros(partNames: Iterable<string>, types: Tag[]): boolean {
  const isNamed = [...partNames].some((name) => /vba(?:project|data)/i.test(decodePercents(name)));
  const isTyped = types.some((tag) =>
    /macroenabled|vba(?:project|data)/i.test(tag.attributes.ContentType ?? ''),
  );
  return isNamed || isTyped;
}

/** Whether a part is what holds the macros by its relationship, whatever its name and type. */
export function pointsToMacros(relationships: Tag[]): boolean {
  return relationships.some((tag) => /\/vbaproject/i.test(tag.attributes.Type ?? ''));
}

/** The one stream that every macro project has, as directories of compound files write its name. */
const projectStream = /_\0v\0b\0a\0_\0p\0r\0o\0j\0e\0c\0t\0/i;
const keptOfPiece = 2 * '_VBA_PROJECT'.length;

/**
 * Looks for a macro project in the content of a part, piece by piece. Macros always lie in a compound file,
 * whose directory is never packed; a plain search needs no memory and no trust in the order of that file.
 */
export class MacroSearch {
  found = false;
  #isCompoundFile: boolean | undefined;
  #lastOfPiece = '';

  readonly look = (piece: Buffer): void => {
    this.#isCompoundFile ??= piece.subarray(0, 8).equals(COMPOUND_FILE_SIGNATURE);
    if (!this.#isCompoundFile || this.found) return;
    const text = this.#lastOfPiece + piece.toString('latin1');
    this.found = projectStream.test(text);
    this.#lastOfPiece = text.slice(-keptOfPiece);
  };
}

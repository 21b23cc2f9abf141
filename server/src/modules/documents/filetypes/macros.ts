import { compoundFileSignature } from '@customer-database/extractor/compound-file';
import type { Tag } from './xml.ts';

const decodePercentEncoding = (name: string) =>
  name.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Whether a part has the name or the type of Word macros. */
export function declaresMacros(partNames: Iterable<string>, types: Tag[]): boolean {
  const isNamed = [...partNames].some((name) => /vba(?:project|data)/i.test(decodePercentEncoding(name)));
  const isTyped = types.some((tag) =>
    /macroenabled|vba(?:project|data)/i.test(tag.attributes.ContentType ?? ''),
  );
  return isNamed || isTyped;
}

/** Whether a relationship declares macros; the part may have any name and type. */
export function linksToMacros(relationships: Tag[]): boolean {
  return relationships.some((tag) => /\/vbaproject/i.test(tag.attributes.Type ?? ''));
}

/** The stream that every macro project has, as compound file directories write its name. */
const vbaProjectStream = /_\0v\0b\0a\0_\0p\0r\0o\0j\0e\0c\0t\0/i;
const overlapLength = 2 * '_VBA_PROJECT'.length;

/**
 * Searches the content of a part for a macro project, chunk by chunk. Macros are always in a compound file,
 * whose directory is never compressed. A plain search needs little memory and does not trust the structure.
 */
export class MacroSearch {
  found = false;
  #isCompoundFile: boolean | undefined;
  #overlap = '';

  readonly push = (chunk: Buffer): void => {
    this.#isCompoundFile ??= chunk.subarray(0, 8).equals(compoundFileSignature);
    if (!this.#isCompoundFile || this.found) return;
    const text = this.#overlap + chunk.toString('latin1');
    this.found = vbaProjectStream.test(text);
    this.#overlap = text.slice(-overlapLength);
  };
}

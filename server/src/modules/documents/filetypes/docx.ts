import { MacroSearch, namesMacros, pointsToMacros } from './macros.ts';
import { readTags, type Tag } from './xml.ts';
import { inflated, readZipDirectory, readZipPart, type ZipPart } from './zip.ts';

const MAX_LISTING_BYTES = 1024 * 1024;
/** It has a line for each link in the text. */
const MAX_MAIN_LISTING_BYTES = 4 * 1024 * 1024;

/** Documents in the Strict variant declare this very type too; templates and macro files have their own. */
const WORD_DOCUMENT_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

const MAIN_PART_RELATIONSHIPS = new Set([
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument',
  'http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument',
]);

type Verdict = 'Word document' | 'macros' | undefined;

/** Whether the bytes are a Word document, found the way Word finds it, and whether it carries macros. */
export async function judgeWordPackage(bytes: Buffer): Promise<Verdict> {
  try {
    const parts = await readZipDirectory(bytes);
    const types = parts && (await readListing(parts, '[content_types].xml'));
    const relationships = parts && (await readListing(parts, '_rels/.rels'));
    if (!types || !relationships) return undefined;
    if (namesMacros(parts.keys(), types)) return 'macros';
    const mainPart = mainPartName(relationships);
    if (mainPart === undefined || !parts.has(mainPart)) return undefined;
    if (contentTypeOf(mainPart, types) !== WORD_DOCUMENT_TYPE) return undefined;
    return await judgeContents(parts, mainPart);
  } catch {
    // The readers of ZIP and XML throw on damaged input: all of it means "no".
    return undefined;
  }
}

async function judgeContents(parts: Map<string, ZipPart>, mainPart: string): Promise<Verdict> {
  const listing = mainPart.replace(/[^/]*$/, '_rels/$&.rels');
  const relationships = parts.has(listing) ? await readListing(parts, listing, MAX_MAIN_LISTING_BYTES) : [];
  if (!relationships) return undefined;
  if (pointsToMacros(relationships)) return 'macros';
  for (const part of parts.values()) {
    const macros = new MacroSearch();
    for await (const piece of inflated(part)) macros.look(piece);
    if (macros.found) return 'macros';
  }
  return 'Word document';
}

async function readListing(
  parts: Map<string, ZipPart>,
  name: string,
  maxBytes = MAX_LISTING_BYTES,
): Promise<Tag[] | undefined> {
  const part = parts.get(name);
  const content = part && (await readZipPart(part, maxBytes));
  return content && readTags(content);
}

function mainPartName(relationships: Tag[]): string | undefined {
  const targets = relationships
    .filter((tag) => tag.name === 'Relationship')
    .filter((tag) => MAIN_PART_RELATIONSHIPS.has(tag.attributes.Type ?? ''))
    .map((tag) => tag.attributes.Target);
  return targets.length === 1 ? targets[0]?.replace(/^\//, '').toLowerCase() : undefined;
}

function contentTypeOf(part: string, types: Tag[]): string | undefined {
  const extension = part.slice(part.lastIndexOf('.') + 1);
  const override = types.find(
    (tag) => tag.name === 'Override' && tag.attributes.PartName?.toLowerCase() === `/${part}`,
  );
  const fallback = types.find(
    (tag) => tag.name === 'Default' && tag.attributes.Extension?.toLowerCase() === extension,
  );
  return (override ?? fallback)?.attributes.ContentType;
}

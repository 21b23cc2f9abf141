import { declaresMacros, linksToMacros, MacroSearch } from './macros.ts';
import { readTags, type Tag } from './xml.ts';
import { inflated, readZipDirectory, readZipPart, type ZipPart } from './zip.ts';

const maxListingBytes = 1024 * 1024;
/** The listing of the main part has an entry for each link in the text. */
const maxMainListingBytes = 4 * 1024 * 1024;

const wordMl = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

/** Strict documents declare these types too. Macro files declare other types. */
const wordTypes = new Set([`${wordMl}.document.main+xml`, `${wordMl}.template.main+xml`]);

const mainPartRelationships = new Set([
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument',
  'http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument',
]);

type Verdict = 'Word document' | 'macros' | undefined;

/** Whether the bytes are a Word document, found the way Word finds it, and whether it carries macros. */
export async function inspectWordPackage(bytes: Buffer): Promise<Verdict> {
  try {
    const parts = await readZipDirectory(bytes);
    const types = parts && (await readListing(parts, '[content_types].xml'));
    const relationships = parts && (await readListing(parts, '_rels/.rels'));
    if (!types || !relationships) return undefined;
    if (declaresMacros(parts.keys(), types)) return 'macros';
    const mainPart = mainPartName(relationships);
    if (mainPart === undefined || !parts.has(mainPart)) return undefined;
    if (!wordTypes.has(contentTypeOf(mainPart, types) ?? '')) return undefined;
    return await inspectContents(parts, mainPart);
  } catch {
    // The ZIP and XML readers throw on damaged input.
    return undefined;
  }
}

async function inspectContents(parts: Map<string, ZipPart>, mainPart: string): Promise<Verdict> {
  const listing = mainPart.replace(/[^/]*$/, '_rels/$&.rels');
  const relationships = parts.has(listing) ? await readListing(parts, listing, maxMainListingBytes) : [];
  if (!relationships) return undefined;
  if (linksToMacros(relationships)) return 'macros';
  for (const part of parts.values()) {
    const macros = new MacroSearch();
    for await (const chunk of inflated(part)) macros.push(chunk);
    if (macros.found) return 'macros';
  }
  return 'Word document';
}

async function readListing(
  parts: Map<string, ZipPart>,
  name: string,
  maxBytes = maxListingBytes,
): Promise<Tag[] | undefined> {
  const part = parts.get(name);
  const content = part && (await readZipPart(part, maxBytes));
  return content && readTags(content);
}

function mainPartName(relationships: Tag[]): string | undefined {
  const targets = relationships
    .filter((tag) => tag.name === 'Relationship')
    .filter((tag) => mainPartRelationships.has(tag.attributes.Type ?? ''))
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

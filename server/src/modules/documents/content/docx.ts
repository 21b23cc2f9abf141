import { inflatesAsClaimed, readZipDirectory, readZipPart, type ZipPart } from './zip.ts';

const MAX_LISTING_BYTES = 1024 * 1024;

/** Documents in the Strict variant declare this very type too; templates and macro files have their own. */
const WORD_DOCUMENT_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

const MAIN_PART_RELATIONSHIPS = new Set([
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument',
  'http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument',
]);

interface Tag {
  name: string;
  attributes: Map<string, string>;
}

/** Whether the bytes are a Word document without macros, found the way Word finds it. */
export async function isWordPackage(bytes: Buffer): Promise<boolean> {
  try {
    const parts = await readZipDirectory(bytes);
    if (!parts) return false;
    const types = await readListing(parts, '[content_types].xml');
    const relationships = await readListing(parts, '_rels/.rels');
    if (!types || !relationships || carriesMacros(types)) return false;
    const mainPart = mainPartName(relationships);
    if (mainPart === undefined || !parts.has(mainPart)) return false;
    if (contentTypeOf(mainPart, types) !== WORD_DOCUMENT_TYPE) return false;
    for (const part of parts.values()) {
      if (!(await inflatesAsClaimed(part))) return false;
    }
    return true;
  } catch {
    // The zip reader, the inflater and the text decoder throw on damaged input: all of it means "no".
    return false;
  }
}

async function readListing(parts: Map<string, ZipPart>, name: string): Promise<Tag[] | undefined> {
  const part = parts.get(name);
  const content = part && (await readZipPart(part, MAX_LISTING_BYTES));
  return content && readTags(new TextDecoder('utf-8', { fatal: true }).decode(content));
}

function carriesMacros(types: Tag[]): boolean {
  return types.some((tag) => /macroenabled|vbaproject/i.test(tag.attributes.get('ContentType') ?? ''));
}

function mainPartName(relationships: Tag[]): string | undefined {
  const targets = relationships
    .filter((tag) => tag.name === 'Relationship')
    .filter((tag) => MAIN_PART_RELATIONSHIPS.has(tag.attributes.get('Type') ?? ''))
    .map((tag) => tag.attributes.get('Target'));
  return targets.length === 1 ? targets[0]?.replace(/^\//, '').toLowerCase() : undefined;
}

function contentTypeOf(part: string, types: Tag[]): string | undefined {
  const extension = part.slice(part.lastIndexOf('.') + 1);
  const override = types.find(
    (tag) => tag.name === 'Override' && tag.attributes.get('PartName')?.toLowerCase() === `/${part}`,
  );
  const fallback = types.find(
    (tag) => tag.name === 'Default' && tag.attributes.get('Extension')?.toLowerCase() === extension,
  );
  return (override ?? fallback)?.attributes.get('ContentType');
}

/**
 * The start tags of a flat listing. Not an XML parser: it only has to understand what Office programs
 * write, and refuses (undefined) document types, CDATA and anything unbalanced. Linear in time.
 */
function readTags(xml: string): Tag[] | undefined {
  const text = withoutComments(xml);
  if (text === undefined) return undefined;
  const tags: Tag[] = [];
  for (const piece of text.split('<').slice(1)) {
    const end = piece.indexOf('>');
    if (end < 0) return undefined;
    if (/^[/?]/.test(piece)) continue;
    const tag = readTag(piece.slice(0, end).replace(/\/$/, ''));
    if (!tag) return undefined;
    tags.push(tag);
  }
  return tags;
}

function withoutComments(xml: string): string | undefined {
  const [first = '', ...rest] = xml.split('<!--');
  const kept = [first];
  for (const piece of rest) {
    const end = piece.indexOf('-->');
    if (end < 0) return undefined;
    kept.push(piece.slice(end + '-->'.length));
  }
  return kept.join('');
}

function readTag(text: string): Tag | undefined {
  const qualifiedName = /^[\w:.-]+/.exec(text)?.[0];
  if (qualifiedName === undefined) return undefined;
  const attributes = new Map<string, string>();
  // Sticky, so that a hostile tag cannot make the search start over at each of its characters.
  const attribute = /\s+([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
  attribute.lastIndex = qualifiedName.length;
  let position = attribute.lastIndex;
  for (let match = attribute.exec(text); match; match = attribute.exec(text)) {
    const [, name = '', quoted, apostrophed] = match;
    if (attributes.has(name)) return undefined;
    attributes.set(name, quoted ?? apostrophed ?? '');
    position = attribute.lastIndex;
  }
  if (text.slice(position).trim() !== '') return undefined;
  return { name: qualifiedName.slice(qualifiedName.indexOf(':') + 1), attributes };
}

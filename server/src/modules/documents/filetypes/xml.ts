import { setImmediate } from 'node:timers/promises';

export type Tag = {
  name: string;
  attributes: Map<string, string>;
};

/** By its mark or by its first bracket, which every XML text begins with. */
export function encodingOf(bytes: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const opening = bytes.toString('latin1', 0, 2);
  if (opening === '\xff\xfe' || opening === '<\0') return 'utf-16le';
  return opening === '\xfe\xff' || opening === '\0<' ? 'utf-16be' : 'utf-8';
}

/** Far beyond what Office programs write. */
const MAX_TAGS = 50_000;
const MAX_TAG_LENGTH = 64 * 1024;
/** So much text is read before others have their turn. */
const TEXT_AT_ONCE = 32 * 1024;

/**
 * The start tags of a flat listing. Not an XML parser: it only has to understand what Office programs
 * write, and refuses (undefined, or a throw) whatever a parser might read in another way: document types, CDATA,
 * instructions, other encodings and anything unbalanced. Linear in time.
 */
export async function readTags(bytes: Buffer): Promise<Tag[] | undefined> {
  const xml = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  const [declaration = ''] = /^\s*<\?xml\s[^<>]*\?>/.exec(xml) ?? [];
  if (/encoding\s*=\s*["'](?!utf-(?:8|16)["'])/i.test(declaration)) return undefined;
  const tags: Tag[] = [];
  let pauseAt = TEXT_AT_ONCE;
  let at = xml.indexOf('<', declaration.length);
  for (let count = 0; at >= 0; count += 1) {
    const end = count < MAX_TAGS ? endOfTag(xml, at) : -1;
    if (end < 0) return undefined;
    if (!/^<(?:\/|!--)/.test(xml.slice(at, at + 4))) {
      const tag = readTag(xml.slice(at + 1, end - 1).replace(/\/$/, ''));
      if (!tag) return undefined;
      tags.push(tag);
    }
    at = xml.indexOf('<', end);
    if (end < pauseAt) continue;
    pauseAt = end + TEXT_AT_ONCE;
    await setImmediate();
  }
  return tags;
}

/** Where the tag or comment that begins here is over; -1 if nowhere. */
function endOfTag(xml: string, at: number): number {
  if (xml.startsWith('<!--', at)) {
    const end = xml.indexOf('-->', at + 4);
    return end < 0 ? -1 : end + 3;
  }
  const end = xml.indexOf('>', at);
  return end < 0 || end - at > MAX_TAG_LENGTH ? -1 : end + 1;
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
    attributes.set(name, decodeEntities(quoted ?? apostrophed ?? ''));
    position = attribute.lastIndex;
  }
  if (text.slice(position).trim() !== '') return undefined;
  return { name: qualifiedName.slice(qualifiedName.indexOf(':') + 1), attributes };
}

const namedCharacters = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function decodeEntities(value: string): string {
  return value.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (entity, hex, decimal, name) => {
    if (name === undefined) return String.fromCodePoint(Number(hex === undefined ? decimal : `0x${hex}`));
    const character = namedCharacters.get(name);
    if (character === undefined) throw new Error(`${entity} is not known`);
    return character;
  });
}

import { setImmediate } from 'node:timers/promises';
import { SaxesParser } from 'saxes';

export type Tag = {
  /** Without its prefix. */
  name: string;
  attributes: Record<string, string>;
};

/** Detected by the byte order mark, or by the bracket with which every XML text begins. */
export function encodingOf(bytes: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const opening = bytes.toString('latin1', 0, 2);
  if (opening === '\xff\xfe' || opening === '<\0') return 'utf-16le';
  return opening === '\xfe\xff' || opening === '\0<' ? 'utf-16be' : 'utf-8';
}

/** Office programs write far fewer. */
const maxTags = 50_000;
const maxTagLength = 64 * 1024;
/** The parser yields to the event loop after each chunk. */
const chunkLength = 32 * 1024;

/**
 * The start tags of a listing. Throws if the XML is not well-formed, or has content that no Office program writes
 * there: doctypes (which could define entities), CDATA, processing instructions, other encodings. Uses saxes, because
 * sax accepts a second root and repeated attributes.
 */
export async function readTags(bytes: Buffer): Promise<Tag[]> {
  const xml = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  const parser = new SaxesParser();
  const tags: Tag[] = [];
  let tagLength = 0;
  for (const unwanted of ['doctype', 'cdata', 'processinginstruction'] as const) {
    parser.on(unwanted, () => void parser.fail(`${unwanted} in a listing`));
  }
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (!/^utf-(?:8|16)$/i.test(encoding)) parser.fail('another encoding');
  });
  parser.on('attribute', ({ name, value }) => {
    tagLength += name.length + value.length;
    if (tagLength > maxTagLength) parser.fail('the tag is too long');
  });
  parser.on('opentag', ({ name, attributes }) => {
    tagLength = 0;
    tags.push({ name: name.slice(name.indexOf(':') + 1), attributes });
    if (tags.length > maxTags) parser.fail('too many tags');
  });
  for (let at = 0; at < xml.length; at += chunkLength) {
    parser.write(xml.slice(at, at + chunkLength));
    await setImmediate();
  }
  parser.close();
  return tags;
}

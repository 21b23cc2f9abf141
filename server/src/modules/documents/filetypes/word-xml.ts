import { encodingOf } from './xml.ts';

/** Room for the many namespaces that Word declares at the beginning. */
const OPENING_BYTES = 16 * 1024;

const WORD_2003 = 'http://schemas.microsoft.com/office/word/2003/wordml';
/** A whole package in one XML file; other programs than Word write such, too. */
const FLAT_PACKAGE = 'http://schemas.microsoft.com/office/2006/xmlPackage';

const opening = /^((?:\s*<\?[^<>]*\?>|\s*<!--[^<>]*-->)*)\s*<(?:[\w.-]+:)?(wordDocument|package)\s([^<>]*)>/;

/** Whether it begins as Word begins what it saves as XML. */
export function isWordXml(bytes: Buffer): boolean {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes.subarray(0, OPENING_BYTES));
  const [, instructions = '', root, attributes = ''] = opening.exec(text) ?? [];
  if (root === 'wordDocument') return attributes.includes(WORD_2003);
  const isForWord = /<\?mso-application\s+progid=["']Word\.Document["']/.test(instructions);
  return root === 'package' && isForWord && attributes.includes(FLAT_PACKAGE);
}

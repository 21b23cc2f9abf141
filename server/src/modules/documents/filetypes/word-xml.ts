import { SaxesParser, type SaxesTagNS } from 'saxes';
import { encodingOf } from './xml.ts';

/** Enough for the many namespaces that Word declares first. */
const openingBytes = 16 * 1024;

const word2003 = 'http://schemas.microsoft.com/office/word/2003/wordml';
/** A whole package in one XML file, which other programs write too. */
const flatPackage = 'http://schemas.microsoft.com/office/2006/xmlPackage';

/** Whether the bytes begin like XML that Word saved. */
export function isWordXml(bytes: Buffer): boolean {
  const parser = new SaxesParser({ xmlns: true });
  let root: SaxesTagNS | undefined;
  let isForWord = false;
  parser.on('doctype', () => void parser.fail('Word writes none'));
  parser.on('processinginstruction', ({ target, body }) => {
    isForWord ||= !root && target === 'mso-application' && /^progid=["']Word\.Document["']/.test(body);
  });
  parser.on('opentag', (tag) => {
    root ??= tag;
  });
  try {
    parser.write(new TextDecoder(encodingOf(bytes)).decode(bytes.subarray(0, openingBytes)));
  } catch {
    // Not XML, or not XML after the first tag, which is enough here.
  }
  if (root?.local === 'wordDocument') return root.uri === word2003;
  return root?.local === 'package' && root.uri === flatPackage && isForWord;
}

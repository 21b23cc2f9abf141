import { SaxesParser, type SaxesTagNS } from 'saxes';
import { encodingOf } from './xml.ts';

/** Room for the many namespaces that Word declares at the beginning. */
const OPENING_BYTES = 16 * 1024;

const WORD_2003 = 'http://schemas.microsoft.com/office/word/2003/wordml';
/** A whole package in one XML file; other programs than Word write such, too. */
const FLAT_PACKAGE = 'http://schemas.microsoft.com/office/2006/xmlPackage';

/** Whether it begins as Word begins what it saves as XML. */
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
    parser.write(new TextDecoder(encodingOf(bytes)).decode(bytes.subarray(0, OPENING_BYTES)));
  } catch {
    // It is no XML, or not any more after the first tag, which is all that matters here.
  }
  if (root?.local === 'wordDocument') return root.uri === WORD_2003;
  return root?.local === 'package' && root.uri === FLAT_PACKAGE && isForWord;
}

import { ConversionFailed } from './port.ts';

// Before the first element, and in its declarations.
const openingBytes = 16 * 1024;

const xml = /^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*</;
const flatPackage = 'http://schemas.microsoft.com/office/2006/xmlPackage';

/**
 * LibreOffice's name of the filter that must read the document. Without one, it shows what it does not recognise as
 * plain text: the source of XML would be a wrong preview. Undefined for the binary formats, which it tells apart.
 */
export function filterFor(bytes: Buffer, extension: '.docx' | '.doc'): string | undefined {
  if (extension === '.docx') return 'MS Word 2007 XML';
  // UTF-16 becomes readable too.
  const opening = bytes.toString('latin1', 0, openingBytes).replaceAll('\0', '');
  if (opening.startsWith('{\\rtf')) return 'Rich Text Format';
  if (!xml.test(opening)) return undefined;
  if (opening.includes(flatPackage))
    throw new ConversionFailed('LibreOffice cannot read packages in one XML file');
  return 'MS Word 2003 XML';
}

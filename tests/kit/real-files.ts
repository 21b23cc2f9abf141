import { compoundFile, endOfChain } from './compound-file.ts';
import { samples } from './samples.ts';

/** Real-world variants of each kind of file. */

/** As Office encrypts: a description of the encryption and the encrypted package. */
export function protectedDocx(): Buffer {
  const directory = [
    { name: 'Root Entry', type: 5, child: 1, start: endOfChain },
    { name: 'EncryptedPackage', type: 2, left: 2, start: 1, size: 4096 },
    { name: 'EncryptionInfo', type: 2, start: 9, size: 4096 },
  ];
  const agile = Buffer.from([4, 0, 4, 0, 0x40, 0, 0, 0]);
  const file = compoundFile({ directory, dataSectors: 16 });
  agile.copy(file, (1 + 9) * 512);
  return file;
}

/** A DOC's header stays readable; a bit in it marks the rest as encrypted. */
export function protectedDoc(): Buffer {
  const file = Buffer.from(samples.doc);
  const flags = file.indexOf(Buffer.from([0xec, 0xa5])) + 10;
  file.writeUInt16LE(file.readUInt16LE(flags) | 0x0100, flags);
  return file;
}

export const rtf = Buffer.from('{\\rtf1\\ansi\\deff0 {\\fonttbl {\\f0 Arial;}}\\f0 Gr\\u252?\\u223?e\\par}');

export const wordXml = Buffer.from(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<?mso-application progid="Word.Document"?>
<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml" w:macrosPresent="no">
<w:body><w:p><w:r><w:t>Text</w:t></w:r></w:p></w:body></w:wordDocument>`);

export const flatPackage = Buffer.from(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<?mso-application progid="Word.Document"?>
<pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">
<pkg:part pkg:name="/word/document.xml"/></pkg:package>`);

export const inUtf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

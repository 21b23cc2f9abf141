import { COMPOUND_FILE_SIGNATURE, openCompoundFile, openingOfStream } from './compound-file.ts';
import { judgeWordPackage } from './docx.ts';
import { isWordXml } from './word-xml.ts';

export type Kind =
  | 'PDF'
  | 'DOCX'
  | 'DOCX with macros'
  | 'protected DOCX'
  | 'DOC'
  | 'protected DOC'
  | 'RTF'
  | 'Word XML';

/** What a file is by its bytes, whatever it is called; undefined for anything else than these. */
export async function kindOf(bytes: Buffer): Promise<Kind | undefined> {
  if (bytes.toString('latin1', 0, 4) === 'PK\x03\x04') {
    const verdict = await judgeWordPackage(bytes);
    return verdict && (verdict === 'macros' ? 'DOCX with macros' : 'DOCX');
  }
  if (bytes.subarray(0, 8).equals(COMPOUND_FILE_SIGNATURE)) return kindOfCompoundFile(bytes);
  if (isPdf(bytes)) return 'PDF';
  if (bytes.toString('latin1', 0, 5) === '{\\rtf') return 'RTF';
  return isWordXml(bytes) ? 'Word XML' : undefined;
}

/** Printers and mail programs put lines of their own before the header, which readers look for this far. */
const PDF_HEADER_WITHIN_BYTES = 1024;

function isPdf(bytes: Buffer): boolean {
  const opening = bytes.toString('latin1', 0, PDF_HEADER_WITHIN_BYTES);
  const isProgramOrPage = /^(?:MZ|\x7fELF|#!|(?:\xef\xbb\xbf)?\s*<)/.test(opening);
  return !isProgramOrPage && /%PDF-[12]\.\d/.test(opening);
}

/** Spreadsheets, mails and installers are compound files too: these streams and their marks tell. */
function kindOfCompoundFile(bytes: Buffer): Kind | undefined {
  const file = openCompoundFile(bytes);
  if (!file) return undefined;
  const text = openingOfStream(file, 'WordDocument');
  if (text && text.length >= 32 && isWordHeader(text)) {
    const isEncrypted = (text.readUInt16LE(10) & 0x0100) !== 0;
    return isEncrypted ? 'protected DOC' : 'DOC';
  }
  const encryption = openingOfStream(file, 'EncryptionInfo');
  const content = openingOfStream(file, 'EncryptedPackage');
  const isPackage = encryption && content && content.length > 8 && isEncryptionHeader(encryption);
  return isPackage ? 'protected DOCX' : undefined;
}

function isWordHeader(opening: Buffer): boolean {
  const mark = opening.readUInt16LE(0);
  const isWord97OrLater = mark === 0xa5ec;
  const isWord6Or95 = mark === 0xa5dc;
  return isWord97OrLater || isWord6Or95;
}

/** The versions of the ways in which Office encrypts (2.2 to 4.4). */
function isEncryptionHeader(opening: Buffer): boolean {
  if (opening.length < 8) return false;
  const [major, minor] = [opening.readUInt16LE(0), opening.readUInt16LE(2)];
  return major >= 2 && major <= 4 && minor >= 2 && minor <= 4;
}

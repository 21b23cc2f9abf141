import {
  compoundFileSignature,
  firstBytesOfStream,
  openCompoundFile,
} from '@customer-database/extractor/compound-file';
import { inspectWordPackage } from './docx.ts';
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

/** Detects the kind by the bytes alone. Undefined for unsupported formats. */
export async function kindOf(bytes: Buffer): Promise<Kind | undefined> {
  if (bytes.toString('latin1', 0, 4) === 'PK\x03\x04') {
    const verdict = await inspectWordPackage(bytes);
    return verdict && (verdict === 'macros' ? 'DOCX with macros' : 'DOCX');
  }
  if (bytes.subarray(0, 8).equals(compoundFileSignature)) return kindOfCompoundFile(bytes);
  if (isPdf(bytes)) return 'PDF';
  if (bytes.toString('latin1', 0, 5) === '{\\rtf') return 'RTF';
  return isWordXml(bytes) ? 'Word XML' : undefined;
}

/** Printers and mail programs prepend lines; PDF readers search this far for the header. */
const pdfHeaderSearchBytes = 1024;

function isPdf(bytes: Buffer): boolean {
  const opening = bytes.toString('latin1', 0, pdfHeaderSearchBytes);
  const isProgramOrPage = /^(?:MZ|\x7fELF|#!|(?:\xef\xbb\xbf)?\s*<)/.test(opening);
  return !isProgramOrPage && /%PDF-[12]\.\d/.test(opening);
}

/** Word documents have these streams; spreadsheets, mails and installers are compound files too. */
function kindOfCompoundFile(bytes: Buffer): Kind | undefined {
  const file = openCompoundFile(bytes);
  if (!file) return undefined;
  const text = firstBytesOfStream(file, 'WordDocument');
  if (text && text.length >= 32 && isWordHeader(text)) {
    const isEncrypted = (text.readUInt16LE(10) & 0x0100) !== 0;
    return isEncrypted ? 'protected DOC' : 'DOC';
  }
  const encryption = firstBytesOfStream(file, 'EncryptionInfo');
  const content = firstBytesOfStream(file, 'EncryptedPackage');
  const isPackage = encryption && content && content.length > 8 && isEncryptionHeader(encryption);
  return isPackage ? 'protected DOCX' : undefined;
}

function isWordHeader(opening: Buffer): boolean {
  const signature = opening.readUInt16LE(0);
  const isWord97OrLater = signature === 0xa5ec;
  const isWord6Or95 = signature === 0xa5dc;
  return isWord97OrLater || isWord6Or95;
}

/** The versions of Office's encryption formats (2.2 to 4.4). */
function isEncryptionHeader(opening: Buffer): boolean {
  if (opening.length < 8) return false;
  const [major, minor] = [opening.readUInt16LE(0), opening.readUInt16LE(2)];
  return major >= 2 && major <= 4 && minor >= 2 && minor <= 4;
}

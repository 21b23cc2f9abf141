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
  if (isWord2(bytes)) return isEncryptedWord(bytes) ? 'protected DOC' : 'DOC';
  return isWordXml(bytes) ? 'Word XML' : undefined;
}

/** Printers and mail programs prepend lines; PDF readers search this far for the header. */
const pdfHeaderSearchBytes = 1024;

function isPdf(bytes: Buffer): boolean {
  const opening = bytes.toString('latin1', 0, pdfHeaderSearchBytes);
  const isProgramOrPage = /^(?:MZ|\x7fELF|#!|(?:\xef\xbb\xbf)?\s*<)/.test(opening);
  if (isProgramOrPage) return false;
  if (/%PDF-[12]\.\d/.test(opening)) return true;
  // PDF readers ignore the version, so that some programs write an odd one. Then the file must have objects.
  return /%PDF-.{3}/s.test(opening) && bytes.includes('endobj');
}

/** Word documents have these streams; spreadsheets, mails and installers are compound files too. */
function kindOfCompoundFile(bytes: Buffer): Kind | undefined {
  const file = openCompoundFile(bytes);
  if (!file) return undefined;
  const text = firstBytesOfStream(file, 'WordDocument');
  if (text && text.length >= 32 && isWordHeader(text)) return isEncryptedWord(text) ? 'protected DOC' : 'DOC';
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

const isEncryptedWord = (header: Buffer) => (header.readUInt16LE(10) & 0x0100) !== 0;

const word2Version = 45;
const word2HeaderBytes = 0x180;

/** Word 2 wrote no compound file. Its mark is short, so the header must also place the text inside of the file. */
function isWord2(bytes: Buffer): boolean {
  if (bytes.length < word2HeaderBytes || bytes.readUInt16LE(0) !== 0xa5db) return false;
  const [start, end] = [bytes.readUInt32LE(24), bytes.readUInt32LE(28)];
  const isInside = start >= word2HeaderBytes && start < end && end <= bytes.length;
  return bytes.readUInt16LE(2) === word2Version && isInside;
}

/** The versions of Office's encryption formats (2.2 to 4.4). */
function isEncryptionHeader(opening: Buffer): boolean {
  if (opening.length < 8) return false;
  const [major, minor] = [opening.readUInt16LE(0), opening.readUInt16LE(2)];
  return major >= 2 && major <= 4 && minor >= 2 && minor <= 4;
}

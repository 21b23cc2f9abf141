import { isUtf8 } from 'node:buffer';
import {
  type DocumentExtension,
  type DocumentMimeType,
  documentTypes,
} from '@customer-database/contract/documents';
import { openingOfRootStream } from './content/compound-file.ts';
import { isWordPackage } from './content/docx.ts';

export type TextCharset = 'utf-8' | 'windows-1252';

export interface RecognisedContent {
  mimeType: DocumentMimeType;
  /** Null for the formats that carry their own. */
  charset: TextCharset | null;
}

/** What the file is, provided that its name, its declared type and its bytes all say the same. */
export async function recogniseContent(input: {
  filename: string;
  mimeType: string;
  bytes: Buffer;
}): Promise<RecognisedContent | undefined> {
  const extension = extensionOf(input.filename);
  if (extension === undefined || input.bytes.length === 0) return undefined;
  const mimeType = documentTypes[extension];
  if (essenceOf(input.mimeType) !== mimeType || !(await holds(extension, input.bytes))) return undefined;
  return { mimeType, charset: extension === '.txt' ? charsetOf(input.bytes) : null };
}

function extensionOf(filename: string): DocumentExtension | undefined {
  const extension = filename.slice(filename.lastIndexOf('.')).toLowerCase();
  return isDocumentExtension(extension) ? extension : undefined;
}

function isDocumentExtension(extension: string): extension is DocumentExtension {
  return Object.hasOwn(documentTypes, extension);
}

/** A browser may send `text/plain; charset=utf-8`: only the part before the parameters is the type. */
function essenceOf(mimeType: string): string {
  return mimeType.replace(/;.*$/s, '').trim().toLowerCase();
}

async function holds(extension: DocumentExtension, bytes: Buffer): Promise<boolean> {
  switch (extension) {
    case '.pdf':
      return /^%PDF-[12]\.\d/.test(bytes.toString('latin1', 0, 8));
    case '.docx':
      return isWordPackage(bytes);
    case '.doc':
      return isWordBinary(bytes);
    case '.txt':
      return !bytes.includes(0);
  }
}

/** Spreadsheets, mails and installers are compound files too: only Word's have this stream and its mark. */
function isWordBinary(bytes: Buffer): boolean {
  const opening = openingOfRootStream(bytes, 'WordDocument');
  if (!opening || opening.length < 32) return false;
  const mark = opening.readUInt16LE(0);
  const isWord97OrLater = mark === 0xa5ec;
  const isWord6Or95 = mark === 0xa5dc;
  return isWord97OrLater || isWord6Or95;
}

/** Text that is not UTF-8 comes from old Windows programs, whose western code page reads any byte. */
function charsetOf(bytes: Buffer): TextCharset {
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

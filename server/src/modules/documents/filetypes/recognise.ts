import { isUtf8 } from 'node:buffer';
import {
  type DocumentExtension,
  type DocumentMimeType,
  documentTypes,
} from '@customer-database/contract/documents';
import { type Kind, kindOf } from './kind.ts';

export type TextCharset = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export type RecognisedContent = {
  mimeType: DocumentMimeType;
  /** Null for formats that declare their own. */
  charset: TextCharset | null;
  /** Word asks for a password before it shows the text. */
  isProtected: boolean;
};

/** The problem with the file, as a sentence for users. */
export type Fault = { fault: string };

const acceptedKinds: Record<Exclude<DocumentExtension, '.txt'>, readonly Kind[]> = {
  '.pdf': ['PDF'],
  '.docx': ['DOCX', 'protected DOCX'],
  '.doc': ['DOC', 'protected DOC', 'RTF', 'Word XML'],
};

const faultOfKind: Record<Kind, string> = {
  PDF: 'is a PDF',
  DOCX: 'is a newer Word document (.docx)',
  'DOCX with macros': 'contains macros',
  'protected DOCX': 'is a newer Office document with a password',
  DOC: 'is an older Word document (.doc)',
  'protected DOC': 'is an older Word document (.doc)',
  RTF: 'is an RTF document',
  'Word XML': 'is a Word document in XML',
};

const faultOfUnsupported: Record<DocumentExtension, string> = {
  '.pdf': 'is not a PDF',
  '.docx': 'is not a complete Word document',
  '.doc': 'is not a complete Word document',
  '.txt': 'contains binary data',
};

/** Programs that do not know the type send this. */
const generalType = 'application/octet-stream';

/** Recognises a file whose name, declared type and bytes agree. */
export async function recogniseContent(input: {
  filename: string;
  mimeType: string | null;
  bytes: Buffer;
}): Promise<RecognisedContent | Fault> {
  const { filename, bytes } = input;
  const extension = extensionOf(filename);
  if (extension === undefined) return { fault: 'The name of this file ends in none of these.' };
  if (bytes.length === 0) return { fault: 'This file is empty.' };
  const fault = (text: string) => ({ fault: `This file is named ${extension} but ${text}.` });
  const mimeType = documentTypes[extension];
  const declared = essenceOf(input.mimeType ?? generalType);
  if (declared !== generalType && declared !== mimeType) return fault('was sent as another type');
  if (extension === '.txt') {
    const charset = charsetOf(bytes);
    return charset ? { mimeType, charset, isProtected: false } : fault(faultOfUnsupported[extension]);
  }
  const kind = await kindOf(bytes);
  if (!kind) return fault(faultOfUnsupported[extension]);
  if (!acceptedKinds[extension].includes(kind)) return fault(faultOfKind[kind]);
  return { mimeType, charset: null, isProtected: kind.startsWith('protected') };
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

/**
 * Undefined for binary data. Text that is neither UTF-8 nor UTF-16 with a BOM counts as the Western code page of old
 * Windows programs, which decodes any byte.
 */
function charsetOf(bytes: Buffer): TextCharset | undefined {
  const bom = bytes.toString('latin1', 0, 2);
  const hasBom = bom === '\xff\xfe' || bom === '\xfe\xff';
  // NUL is the same in both byte orders, and the search compares whole characters.
  if (hasBom && bytes.length % 2 === 0 && !bytes.includes('\0', 0, 'utf16le')) {
    return bom === '\xff\xfe' ? 'utf-16le' : 'utf-16be';
  }
  if (bytes.includes(0)) return undefined;
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

import { type DocumentMimeType, documentTexts, documentTypes } from '@customer-database/contract/documents';
import { limits } from '@customer-database/contract/limits';

export const acceptedFiles = Object.keys(documentTypes).join(',');

/** The type by extension; the server inspects the content. */
export function mimeTypeOf(filename: string): DocumentMimeType | undefined {
  const name = filename.toLowerCase();
  return Object.entries(documentTypes).find(([extension]) => name.endsWith(extension))?.[1];
}

/** Browsers report these for types they do not know, which depends on the installed programs. */
const unknownTypes = ['', 'application/octet-stream'];

/** Checks what is possible without reading the file. */
export function validateFile(file: File): string | undefined {
  const known: string[] = [...Object.values(documentTypes), ...unknownTypes];
  if (!mimeTypeOf(file.name) || !known.includes(file.type)) return documentTexts.wrongType;
  return file.size > limits.maxUploadBytes ? documentTexts.tooLarge : undefined;
}

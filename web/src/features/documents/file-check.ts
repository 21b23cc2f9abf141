import { type DocumentMimeType, documentTexts, documentTypes } from '@customer-database/contract/documents';
import { limits } from '@customer-database/contract/limits';

export const acceptedFiles = Object.keys(documentTypes).join(',');

/** The type that a file's name promises; the server looks inside. */
export function mimeTypeOf(filename: string): DocumentMimeType | undefined {
  const name = filename.toLowerCase();
  return Object.entries(documentTypes).find(([extension]) => name.endsWith(extension))?.[1];
}

/** What browsers say of files they do not know, which depends on what else is installed. */
const unknownTypes = ['', 'application/octet-stream'];

/** What is wrong with a file, as far as that can be told without reading it. */
export function findFault(file: File): string | undefined {
  const known: string[] = [...Object.values(documentTypes), ...unknownTypes];
  if (!mimeTypeOf(file.name) || !known.includes(file.type)) return documentTexts.wrongType;
  return file.size > limits.maxUploadBytes ? documentTexts.tooLarge : undefined;
}

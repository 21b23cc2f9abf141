import { documentTexts, type UploadInput } from '@customer-database/contract/documents';
import { mimeTypeOf } from './file-check.ts';

export type ChosenFile = { customerId: number; file: File | null; filename: string; description: string };

/** The file has been moved or deleted since it was chosen. */
export class FileGone extends Error {
  override name = 'FileGone';
}

function readAsBase64(file: File | null): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!file) throw new FileGone(documentTexts.noFile);
    const reader = new FileReader();
    reader.onerror = () => reject(new FileGone(documentTexts.noFile, { cause: reader.error }));
    // A data URL: the content follows the comma.
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.readAsDataURL(file);
  });
}

/** The payload of the specification. */
export async function uploadInputOf({
  customerId,
  file,
  filename,
  description,
}: ChosenFile): Promise<UploadInput> {
  const file_data = await readAsBase64(file);
  const mime_type = mimeTypeOf(filename) ?? file?.type ?? '';
  return { customer_id: customerId, filename, description, file_data, mime_type };
}

import { documentTexts, uploadInput } from '@customer-database/contract/documents';
import { z } from 'zod';
import { AppError } from '../../../http/errors.ts';

/** The input of the command, whichever parser read it. */
export type IncomingFile = {
  customerId: number;
  filename: string;
  description: string | null;
  /** As declared by the client, if at all. */
  mimeType: string | null;
  bytes: Buffer;
  /** The same for every attempt to send this upload. */
  uploadId?: string | undefined;
};

/** Node's decoder skips what is not base64: only what encodes to the same text again was base64. */
function bytesOf(file: Buffer | string, { addIssue }: z.RefinementCtx): Buffer {
  if (Buffer.isBuffer(file)) return file;
  const bytes = Buffer.from(file, 'base64');
  if (bytes.toString('base64') !== file) addIssue('file_data must be the content of the file in base64');
  return bytes;
}

const isFile = (value: unknown) => (Buffer.isBuffer(value) || typeof value === 'string') && value.length > 0;

/** The contract's input, with the bytes of the file: decoded from base64, or as they came with a form. */
export const incomingFile = uploadInput
  .extend({
    file_data: z
      .custom<Buffer | string>(isFile, documentTexts.noFile)
      .meta(z.toJSONSchema(uploadInput.shape.file_data))
      .transform(bytesOf),
  })
  .transform(
    ({ customer_id, filename, description, mime_type, file_data, upload_id }): IncomingFile => ({
      customerId: customer_id,
      filename,
      description: description ?? null,
      mimeType: mime_type ?? null,
      bytes: file_data,
      uploadId: upload_id,
    }),
  );

/** For everything but the file: many times what the other fields may hold. */
export const maxFieldBytes = 512 * 1024;

export function fileTooLarge(): AppError {
  return new AppError('FILE_TOO_LARGE', documentTexts.tooLarge, {
    fields: { file_data: documentTexts.tooLarge },
  });
}

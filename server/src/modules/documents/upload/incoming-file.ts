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

/** The contract's input, with the bytes of the file in place of base64. */
export const incomingFile = uploadInput
  .extend({
    file_data: z
      .custom<Buffer>((value) => Buffer.isBuffer(value) && value.length > 0, documentTexts.noFile)
      .meta(z.toJSONSchema(uploadInput.shape.file_data)),
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

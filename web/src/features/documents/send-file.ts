import { type Document, documentTexts, type UploadInput } from '@customer-database/contract/documents';
import { ApiError } from '../../api/client.ts';
import { uploadDocument } from '../../api/documents.ts';
import { mimeTypeOf } from './file-check.ts';

export type FileToSend = {
  customerId: number;
  file: File;
  filename: string;
  description?: string;
  /** The server saves an id once, however often it is sent. */
  uploadId?: string;
};

type SendOptions = { signal: AbortSignal; onProgress?: (sent: number) => void };

/** The file has been moved or deleted since it was chosen. */
export class FileGone extends Error {
  override name = 'FileGone';
}

function readAsBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(new FileGone(documentTexts.noFile, { cause: reader.error }));
    // A data URL: the content follows the comma.
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.readAsDataURL(file);
  });
}

const typeOf = ({ file, filename }: FileToSend) => mimeTypeOf(filename) ?? file.type;

/** The payload of the specification. */
async function sendJson(upload: FileToSend, options: SendOptions): Promise<Document | undefined> {
  const { customerId, file, filename, description = '' } = upload;
  const file_data = await readAsBase64(file);
  options.signal.throwIfAborted();
  const mime_type = typeOf(upload);
  const input: UploadInput = { customer_id: customerId, filename, description, file_data, mime_type };
  return uploadDocument(input, options);
}

/** The browser reads the file while it sends the form. */
function formOf(upload: FileToSend, uploadId: string): FormData {
  const form = new FormData();
  form.set('customer_id', String(upload.customerId));
  form.set('filename', upload.filename);
  form.set('mime_type', typeOf(upload));
  form.set('upload_id', uploadId);
  form.set('file', upload.file);
  return form;
}

/** Our own server takes forms. It alone names the request in a refusal, which is then final. */
function isFormRefused(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 415 || (error.status === 400 && error.body.request_id === undefined);
}

/** Another server may take only the payload of the specification. Known once it has taken the first. */
let needsJson = false;

/** Sends one file, once: as a form if it has an upload id, which the specification does not know. */
export async function sendFile(upload: FileToSend, options: SendOptions): Promise<Document | undefined> {
  if (upload.uploadId === undefined || needsJson) return sendJson(upload, options);
  try {
    return await uploadDocument(formOf(upload, upload.uploadId), options);
  } catch (error) {
    if (!isFormRefused(error)) throw error;
    const document = await sendJson(upload, options);
    needsJson = true;
    return document;
  }
}

import type { Document } from '@customer-database/contract/documents';
import { ApiError, errorText } from '../../../api/client.ts';
import { uploadDocument } from '../../../api/documents.ts';
import { mimeTypeOf } from '../file-check.ts';
import { uploadInputOf } from '../upload-input.ts';
import type { Upload } from './uploads.ts';

export type Outcome =
  | { result: 'saved'; document: Document | undefined }
  /** The connection or the server is away. */
  | { result: 'try later'; afterSeconds: number }
  | { result: 'signed out' }
  /** May work another time. */
  | { result: 'failed'; problem: string }
  /** Never works with this file, or for this customer. */
  | { result: 'refused'; problem: string };

/** 0: no answer. The others are those of a server, or a proxy, that is away or busy. */
const temporary = [0, 429, 502, 503, 504];

/** Bad input, a customer who is gone, a file that is too large or of a wrong type. */
const final = [400, 404, 413, 415];

/** The browser reports a file that was moved or changed like a broken connection. */
async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** A form, because the browser then reads the file as it sends it. */
function formOf({ id, file, customer }: Upload): FormData {
  const filename = file.name.normalize();
  const fields = {
    customer_id: String(customer.id),
    filename,
    mime_type: mimeTypeOf(filename) ?? file.type,
    upload_id: id,
  };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', file);
  return form;
}

async function outcomeOf(error: unknown, file: File): Promise<Outcome> {
  if (error instanceof ApiError && error.status === 401) return { result: 'signed out' };
  if (!(await isReadable(file))) {
    return { result: 'failed', problem: 'The file cannot be read. It may have been moved or changed.' };
  }
  if (error instanceof ApiError && temporary.includes(error.status)) {
    return { result: 'try later', afterSeconds: error.retryAfterSeconds };
  }
  const isFinal = error instanceof ApiError && final.includes(error.status);
  const problem = errorText(error, 'Failed to upload document. Please try again.');
  return { result: isFinal ? 'refused' : 'failed', problem };
}

type SendOptions = { signal: AbortSignal; onProgress: (sent: number) => void };

/** Our own server takes forms; its refusals, which name the request, are final. */
function isFormRefused(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 415 || (error.status === 400 && error.requestId === undefined);
}

/** Another server may take only the payload of the specification. Known once it has taken the first. */
let needsJson = false;

async function sendJson({ file, customer }: Upload, options: SendOptions): Promise<Document | undefined> {
  const filename = file.name.normalize();
  const input = await uploadInputOf({ customerId: customer.id, file, filename, description: '' });
  options.signal.throwIfAborted();
  const document = await uploadDocument(input, options);
  needsJson = true;
  return document;
}

async function sendFormOrJson(upload: Upload, options: SendOptions): Promise<Document | undefined> {
  if (needsJson) return sendJson(upload, options);
  try {
    return await uploadDocument(formOf(upload), options);
  } catch (error) {
    if (!isFormRefused(error)) throw error;
    return sendJson(upload, options);
  }
}

/** Sends one file, once. */
export async function sendUpload(upload: Upload, options: SendOptions): Promise<Outcome> {
  try {
    return { result: 'saved', document: await sendFormOrJson(upload, options) };
  } catch (error) {
    return outcomeOf(error, upload.file);
  }
}

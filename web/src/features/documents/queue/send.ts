import type { Document } from '@customer-database/contract/documents';
import { ApiError, errorText, isSignedOut } from '../../../api/client.ts';
import { sendFile } from '../send-file.ts';
import type { Upload } from './uploads.ts';

export type Outcome =
  | { result: 'saved'; document: Document | undefined }
  /** The connection or the server is down. */
  | { result: 'try later'; afterSeconds: number }
  | { result: 'signed out' }
  /** Another attempt may succeed. */
  | { result: 'failed'; problem: string }
  /** No attempt can succeed with this file, or for this customer. */
  | { result: 'refused'; problem: string };

/** 0 means no response. A server or proxy that is down or busy sends the others. */
const temporary = [0, 429, 502, 503, 504];

/** Bad input, a deleted customer, a file that is too large or of a wrong type. */
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

async function outcomeOf(error: unknown, file: File): Promise<Outcome> {
  if (isSignedOut(error)) return { result: 'signed out' };
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

/** Sends one file, once, and says what became of it. */
export async function sendUpload({ id, file, customer }: Upload, options: SendOptions): Promise<Outcome> {
  try {
    const filename = file.name.normalize();
    const document = await sendFile({ customerId: customer.id, file, filename, uploadId: id }, options);
    return { result: 'saved', document };
  } catch (error) {
    return outcomeOf(error, file);
  }
}

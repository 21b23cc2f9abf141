import type { Customer } from '@customer-database/contract/customers';
import type { Document } from '@customer-database/contract/documents';
import { newUuid } from '../../../lib/uuid.ts';
import { validateFile } from '../file-check.ts';

/**
 * waiting: the connection broke, and the queue sends the file again. failed: another attempt may succeed. refused: no
 * attempt can succeed, for example because the file is no document.
 */
export type UploadState = 'queued' | 'sending' | 'waiting' | 'saved' | 'failed' | 'refused';

/** One file in the queue. */
export type Upload = {
  /** The server saves an id once, however often it is sent. */
  id: string;
  file: File;
  customer: Pick<Customer, 'id' | 'name'>;
  state: UploadState;
  percent: number;
  /** Why it failed or was refused. */
  problem?: string;
  /** What it was saved as, if the server says so. */
  document?: Document | undefined;
};

export function newUpload(customer: Upload['customer'], file: File): Upload {
  const problem = validateFile(file);
  const upload = { id: newUuid(), file, customer, percent: 0 };
  return problem ? { ...upload, state: 'refused', problem } : { ...upload, state: 'queued' };
}

export const isToBeSent = ({ state }: Upload) => state === 'queued' || state === 'waiting';
export const isUnderWay = (upload: Upload) => isToBeSent(upload) || upload.state === 'sending';
export const hasFailed = ({ state }: Upload) => state === 'failed' || state === 'refused';

export function summaryOf(uploads: readonly Upload[]) {
  const count = (is: (upload: Upload) => boolean) => uploads.filter(is).length;
  const [saved, failed] = [count(({ state }) => state === 'saved'), count(hasFailed)];
  const percents = uploads.map((upload) => (isUnderWay(upload) ? upload.percent : 100));
  return {
    saved,
    retryable: count(({ state }) => state === 'failed'),
    underWay: count(isUnderWay),
    isWaiting: uploads.some(({ state }) => state === 'waiting'),
    percent: percents.reduce((sum, percent) => sum + percent, 0) / Math.max(1, percents.length),
    text: `${saved} of ${uploads.length} uploaded${failed > 0 ? `, ${failed} failed` : ''}`,
  };
}

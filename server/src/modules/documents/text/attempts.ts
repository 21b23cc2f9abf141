import { ExtractorClosed, ExtractorNotStarted } from '@customer-database/extractor/errors';
import { ConverterClosed, ConverterUnavailable } from '../../../converter/port.ts';
import type { Deps } from '../../../core/deps.ts';
import { isDatabaseUnavailable, isStatementTimeout } from '../../../db/unavailable.ts';
import { StorageUnavailableError } from '../../../storage/port.ts';

// After this many unfinished attempts, the document is given up; of a scan, the page.
export const maxAttempts = 3;
// Pages after one that was given up get one attempt each: with this many failures in a row the document is given up.
export const maxAttemptsOfScan = 5;
const postponedMs = 60_000;

/** What becomes of the leased row after a failure. */
export type Lease = {
  documentId: number;
  /** The attempt does not count. */
  release(): Promise<void>;
  /** The attempt counts. */
  postpone(until: Date): Promise<void>;
};

export const postpone = ({ clock }: Deps, lease: Lease) =>
  lease.postpone(new Date(clock.now().getTime() + postponedMs));

const outages = [ExtractorClosed, ExtractorNotStarted, ConverterClosed, ConverterUnavailable];

/** A failure that no document causes: the next one would fail too. */
async function isOutage({ storage }: Deps, error: unknown): Promise<boolean> {
  if (outages.some((type) => error instanceof type)) return true;
  if (error instanceof StorageUnavailableError) {
    // One object that cannot be read, such as one on a bad sector, is no outage.
    return storage.checkHealth().then(
      () => false,
      () => true,
    );
  }
  return isDatabaseUnavailable(error) && !isStatementTimeout(error);
}

/** Makes an attempt. Throws on outages only: any other failure is that of this document and must not stop the rest. */
export async function attempt(deps: Deps, lease: Lease, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (await isOutage(deps, error)) {
      await lease.release();
      throw error;
    }
    deps.log.error({ err: error, document_id: lease.documentId }, 'an attempt to read a document failed');
    await postpone(deps, lease);
  }
}

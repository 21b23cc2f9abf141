import type { Answer } from '@customer-database/testkit/client';
import { plural } from './findings.ts';

export type LedgerDocument = {
  filename: string;
  customerId: number;
  size: number;
  sha256: string;
  /** Known once the server has acknowledged it, or once it was found to be saved all the same. */
  id: number | undefined;
  /** 'uploading' and 'deleting': sent, and the answer never came. Both ways are right, halves are not. */
  state: 'uploading' | 'kept' | 'deleting' | 'deleted';
  /** Its bytes were compared once. */
  isRead: boolean;
};

/** A customer whose edits are numbered; nobody else edits it. */
export type LedgerCustomer = { id: number; sent: number; acknowledged: number };

/** What the server was sent, and what of it it has acknowledged. */
export type Ledger = {
  documents: LedgerDocument[];
  customers: LedgerCustomer[];
  /** Of sign-ins that succeeded. */
  tokens: string[];
  counts: { uploads: number; edits: number; deletions: number; signIns: number };
};

const nothingYet = { uploads: 0, edits: 0, deletions: 0, signIns: 0 };

export function createLedger(): Ledger {
  return {
    documents: [],
    customers: [],
    tokens: [],
    counts: { ...nothingYet },
  };
}

/** Whether the server has said that the document is kept; from then on it has to be. */
export function noteUploaded(ledger: Ledger, document: LedgerDocument, answer: Answer | undefined): boolean {
  if (answer?.status !== 201) return false;
  Object.assign(document, { id: answer.body.document.id, state: 'kept' });
  ledger.counts.uploads += 1;
  return true;
}

/** What was acknowledged since. */
export function countsText({ counts }: Ledger, since: Ledger['counts'] = nothingYet): string {
  return [
    plural(counts.uploads - since.uploads, 'upload'),
    plural(counts.edits - since.edits, 'edit'),
    plural(counts.deletions - since.deletions, 'deletion'),
    plural(counts.signIns - since.signIns, 'sign-in'),
  ].join(', ');
}

export const editText = (number: number) => `Edit ${number}`;

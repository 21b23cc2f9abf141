import type { Answer } from '@customer-database/testkit/client';
import { plural } from './findings.ts';

export type LedgerDocument = {
  filename: string;
  customerId: number;
  size: number;
  sha256: string;
  /** Known once the server acknowledged it, or once verification found it saved without an answer. */
  id: number | undefined;
  /** 'uploading' and 'deleting': sent, but not answered. Done and not done are both right; halves are not. */
  state: 'uploading' | 'kept' | 'deleting' | 'deleted';
  /** Its bytes were compared at least once. */
  isRead: boolean;
};

/** A customer with numbered edits, edited by one client only. */
export type LedgerCustomer = { id: number; sent: number; acknowledged: number };

/** What was sent to the server, and what it acknowledged. */
export type Ledger = {
  documents: LedgerDocument[];
  customers: LedgerCustomer[];
  /** From successful sign-ins. */
  tokens: string[];
  counts: { uploads: number; edits: number; deletions: number; signIns: number };
};

const zeroCounts = { uploads: 0, edits: 0, deletions: 0, signIns: 0 };

export function createLedger(): Ledger {
  return {
    documents: [],
    customers: [],
    tokens: [],
    counts: { ...zeroCounts },
  };
}

/** Before a file is sent. */
export function noteUploading(
  ledger: Ledger,
  file: Pick<LedgerDocument, 'customerId' | 'size' | 'sha256'>,
): LedgerDocument {
  const filename = `upload-${ledger.documents.length + 1}.pdf`;
  const document: LedgerDocument = { ...file, filename, id: undefined, state: 'uploading', isRead: false };
  ledger.documents.push(document);
  return document;
}

/** Returns whether the server acknowledged the upload; from then on the document must exist. */
export function noteUploaded(ledger: Ledger, document: LedgerDocument, answer: Answer | undefined): boolean {
  if (answer?.status !== 201) return false;
  Object.assign(document, { id: answer.body.document.id, state: 'kept' });
  ledger.counts.uploads += 1;
  return true;
}

/** What was acknowledged since then. */
export function countsText({ counts }: Ledger, since: Ledger['counts'] = zeroCounts): string {
  return [
    plural(counts.uploads - since.uploads, 'upload'),
    plural(counts.edits - since.edits, 'edit'),
    plural(counts.deletions - since.deletions, 'deletion'),
    plural(counts.signIns - since.signIns, 'sign-in'),
  ].join(', ');
}

export const editText = (number: number) => `Edit ${number}`;

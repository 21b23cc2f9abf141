import { createHash } from 'node:crypto';
import type { Answer, Client } from '@customer-database/testkit/client';
import { formOf, uploadForm } from '@customer-database/testkit/documents';
import { randomPdf, uploadBody } from '@customer-database/testkit/factories';
import { type Ledger, type LedgerDocument, noteUploaded, noteUploading } from './ledger.ts';

export const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

export type Upload = {
  document: LedgerDocument;
  send(client: Client, as: 'json' | 'form'): Promise<Answer>;
};

/** A unique file, in the ledger before it can be sent. */
export function makeUpload(ledger: Ledger, customerId: number, size: number): Upload {
  const bytes = randomPdf(size);
  const document = noteUploading(ledger, { customerId, size, sha256: sha256Of(bytes) });
  const { filename } = document;
  const type = 'application/pdf';
  return {
    document,
    send: (client, as) =>
      as === 'json'
        ? client.post('/api/documents', uploadBody(customerId, { filename }, bytes))
        : uploadForm(client, formOf({ customer_id: customerId }, { name: filename, type, bytes })),
  };
}

/** For uploads while nothing is broken. */
export async function uploadOrThrow(
  ledger: Ledger,
  client: Client,
  customerId: number,
  size: number,
): Promise<LedgerDocument> {
  const { document, send } = makeUpload(ledger, customerId, size);
  const answer = await send(client, 'form');
  if (noteUploaded(ledger, document, answer)) return document;
  throw new Error(`An upload failed: ${answer.status} ${JSON.stringify(answer.body)}`);
}

import {
  type DocumentExtension,
  documentTypes,
  type UpdateDocumentInput,
} from '@customer-database/contract/documents';
import { type Context, inTransaction } from '../../core/context.ts';
import { fieldError } from '../../http/errors.ts';
import { changesBetween } from '../activity/changes.ts';
import { recordChanges } from '../activity/commands.ts';
import { lockCustomer } from '../customers/commands.ts';
import { getDocument, subjectOf } from './commands.ts';
import { filenameKey, splitExtension, usableFilename } from './filename.ts';
import * as repo from './repo.ts';

const extensionOf = (mimeType: string) =>
  Object.keys(documentTypes).find(
    (extension) => documentTypes[extension as DocumentExtension] === mimeType,
  ) ?? '';

/** The new name must have the extension of the content. */
function newFilename(raw: string, { mime_type }: repo.DocumentRow): string {
  const filename = usableFilename(raw);
  const extension = extensionOf(mime_type);
  if (splitExtension(filename)[1].toLowerCase() === extension) return filename;
  throw fieldError('filename', `Filename must end in ${extension}`);
}

// With the name of the customer, because users do not know customers by their ids.
const loggedFields = ['filename', 'description', 'customer_id', 'customer_name'] as const;

/** Changes the record of a document, never its content. */
export async function updateDocument(
  ctx: Context,
  id: number,
  { filename: wanted, description, customer_id }: UpdateDocumentInput,
): Promise<repo.DocumentRow> {
  return inTransaction(ctx, async (tx) => {
    await repo.lockDocument(tx.db, id);
    const before = await getDocument(tx, id);
    const customerId = customer_id ?? before.customer_id;
    // The lock keeps the customer, and a free name stays free until this transaction uses it.
    await lockCustomer(tx, customerId);
    const filename = wanted === undefined ? before.filename : newFilename(wanted, before);
    const key = filenameKey(filename);
    const isNewHere = customerId !== before.customer_id || key !== filenameKey(before.filename);
    if (isNewHere && (await repo.findTakenKeys(tx.db, customerId, [key])).size > 0) {
      throw fieldError('filename', 'This customer already has a document with this name');
    }
    await repo.updateDocumentRow(tx.db, before, {
      filename,
      filename_key: key,
      customer_id: customerId,
      ...(description !== undefined && { description }),
    });
    const document = await getDocument(tx, id);
    const changes = changesBetween(before, document, loggedFields);
    await recordChanges(tx, 'document.updated', subjectOf(document), changes);
    return document;
  });
}

import type { DocumentSearchInput } from '@customer-database/contract/documents';
import type { PageQuery } from '@customer-database/contract/fields';
import { type Context, inTransaction } from '../../core/context.ts';
import { inOrderOf } from '../../core/in-order.ts';
import { totalOf } from '../../db/counts.ts';
import { AppError } from '../../http/errors.ts';
import type { Matches } from '../../search/bounded-search.ts';
import { recordActivity, type Subject } from '../activity/commands.ts';
import { getCustomer } from '../customers/commands.ts';
import { deleteFilesOf } from './derived/commands.ts';
import { enqueueDeletion } from './derived/delete-object.ts';
import { wantPreview } from './previews/commands.ts';
import * as repo from './repo.ts';
import * as searchRepo from './search-repo.ts';
import { countPages, listPages, type TextPage } from './text/repo.ts';

export const subjectOf = (document: { id: number; filename: string; customer_id: number }): Subject => ({
  type: 'document',
  id: document.id,
  label: document.filename,
  customerId: document.customer_id,
});

export type { ListedDocument } from './repo.ts';

const documentNotFound = () => new AppError('NOT_FOUND', 'Document not found');

export async function getDocument(ctx: Context, id: number): Promise<repo.DocumentRow> {
  const document = await repo.findDocument(ctx.db, id);
  if (!document) throw documentNotFound();
  return document;
}

export async function listDocuments(
  ctx: Context,
  page: PageQuery,
): Promise<{ documents: repo.ListedDocument[]; total: number }> {
  const total = await totalOf(ctx.db, 'documents');
  return { documents: await repo.listDocuments(ctx.db, page), total };
}

export async function listDocumentsOfCustomer(
  ctx: Context,
  customerId: number,
): Promise<repo.ListedDocument[]> {
  await getCustomer(ctx, customerId);
  return repo.listDocumentsOfCustomer(ctx.db, customerId);
}

export function searchDocuments(
  ctx: Context,
  input: DocumentSearchInput,
): Promise<{ documents: repo.ListedDocument[]; matches: Matches }> {
  return searchRepo.searchDocuments(ctx, { ...input, timeZone: ctx.deps.config.timeZone });
}

/** In the order of the ids, without documents that no longer exist. */
export async function listDocumentsById(ctx: Context, ids: number[]): Promise<repo.ListedDocument[]> {
  return ids.length === 0 ? [] : inOrderOf(ids, await repo.listDocumentsById(ctx.db, ids));
}

export type FoundText = { document: repo.DocumentRow; pages: TextPage[]; total: number };

/** Recorded as a view of the document. */
export async function viewText(ctx: Context, id: number, query: PageQuery): Promise<FoundText> {
  const document = await getDocument(ctx, id);
  const total = await countPages(ctx.db, id);
  const pages = await listPages(ctx.db, id, query);
  if (pages.length > 0) {
    await recordActivity(ctx, 'document.viewed', subjectOf(document), { as: 'text' });
    await wantPreview(ctx, document);
  }
  return { document, pages, total };
}

/** Deletes the row now, and its objects by jobs, which are retried. */
export async function deleteDocument(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const document = await getDocument(tx, id);
    await deleteFilesOf(tx.db, id);
    // A concurrent request may have deleted it first.
    if (!(await repo.deleteDocumentRow(tx.db, id))) throw documentNotFound();
    await enqueueDeletion(tx.db, document.storage_key);
    await recordActivity(tx, 'document.deleted', subjectOf(document), {
      customer_id: document.customer_id,
      customer_name: document.customer_name,
    });
  });
}

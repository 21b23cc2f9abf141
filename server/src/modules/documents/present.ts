import type {
  Document,
  DocumentDetails,
  DocumentText,
  LinkedDocument,
} from '@customer-database/contract/documents';
import type { Context, SignedInContext } from '../../core/context.ts';
import { pageCountsOf } from '../../http/page-counts.ts';
import type { FoundText } from './commands.ts';
import { previewStateOf } from './previews/commands.ts';
import type { DocumentRow, ListedDocument } from './repo.ts';
import { thumbnailUrl } from './serving/links.ts';

export function presentDocument(ctx: SignedInContext, row: ListedDocument): Document {
  return {
    id: row.id,
    customer_id: row.customer_id,
    customer_name: row.customer_name,
    customer_email: row.customer_email,
    filename: row.filename,
    description: row.description,
    mime_type: row.mime_type,
    file_size: row.file_size,
    uploaded_at: row.uploaded_at.toISOString(),
    uploaded_by_name: row.uploaded_by_name,
    protected: row.is_protected,
    thumbnail_url: row.has_thumbnail ? thumbnailUrl(ctx, row.id) : null,
  };
}

export function presentDocuments(ctx: SignedInContext, rows: ListedDocument[]): Document[] {
  return rows.map((row) => presentDocument(ctx, row));
}

export function presentText(row: DocumentRow): DocumentDetails['text'] {
  return {
    state: row.text_state,
    reason: row.text_reason,
    page_count: row.page_count,
    language: row.language,
  };
}

export function presentTextPages({ document, pages, total }: FoundText, limit: number): DocumentText {
  return {
    ...presentText(document),
    pages: pages.map(({ page, content, is_picture }) => ({ page, text: content, waiting: is_picture })),
    ...pageCountsOf(pages, total, limit),
  };
}

export function presentDetails(ctx: SignedInContext, row: DocumentRow): DocumentDetails {
  const preview = previewStateOf(ctx.deps.config, row);
  return { ...presentDocument(ctx, row), text: presentText(row), preview };
}

export function presentLinked({ deps }: Context, row: DocumentRow): LinkedDocument {
  return {
    id: row.id,
    filename: row.filename,
    mime_type: row.mime_type,
    protected: row.is_protected,
    text: presentText(row),
    preview: previewStateOf(deps.config, row),
  };
}

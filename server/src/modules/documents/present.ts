import type { Document, DocumentDetails } from '@customer-database/contract/documents';
import type { DocumentRow, ListedDocument } from './repo.ts';

export function presentDocument(row: ListedDocument): Document {
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
  };
}

export function presentText(row: DocumentRow): DocumentDetails['text'] {
  return {
    state: row.text_state,
    reason: row.text_reason,
    page_count: row.page_count,
    language: row.language,
  };
}

export function presentDetails(row: DocumentRow): DocumentDetails {
  return { ...presentDocument(row), text: presentText(row) };
}

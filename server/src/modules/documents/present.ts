import type { Document } from '@customer-database/contract/documents';
import type { ListedDocument } from './repo.ts';

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

import type { Document } from '@customer-database/contract/documents';
import { useQueryClient } from '@tanstack/react-query';
import { isNotFound } from '../../api/client.ts';
import { deleteDocument, invalidateDocuments } from '../../api/documents.ts';
import { useSubmit } from '../../lib/forms.ts';
import { useConfirmation } from '../../ui/confirm-dialog.tsx';
import { showSuccess } from '../../ui/notices.ts';
import { forgetUpload } from './recent-uploads.ts';
import { alertUnlessSignedOut } from './view-and-download.ts';

/** Render `dialog`; `ask` opens it. */
export function useDeleteDocument(onDeleted: (document: Document) => void | Promise<void>) {
  const client = useQueryClient();
  const { submit } = useSubmit(async (document: Document) => {
    try {
      await deleteDocument(document.id);
    } catch (error) {
      alertUnlessSignedOut(error, 'Failed to delete document. Please try again.');
      // Another user deleted it first, so the list is out of date.
      if (isNotFound(error)) await invalidateDocuments(client);
      return;
    }
    forgetUpload(document.id);
    showSuccess(`Deleted "${document.filename}"`);
    await onDeleted(document);
  });
  return useConfirmation(submit, ({ filename }: Document) => ({
    title: 'Delete document',
    text: `Are you sure you want to delete "${filename}"? This action cannot be undone.`,
    confirmLabel: 'Delete',
  }));
}

import type { Document } from '@customer-database/contract/documents';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isNotFound } from '../../api/client.ts';
import { deleteDocument, invalidateDocuments } from '../../api/documents.ts';
import { useSubmit } from '../../lib/forms.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { showSuccess } from '../../ui/notices.ts';
import { forgetUpload } from './recent-uploads.ts';
import { alertUnlessSignedOut } from './view-and-download.ts';

/** Render `dialog`; `confirmDelete` opens it. */
export function useDeleteDocument(onDeleted: (document: Document) => void | Promise<void>) {
  const client = useQueryClient();
  const [opened, { open, close }] = useDisclosure(false);
  const [target, setTarget] = useState<Document>();
  const { submit, isPending } = useSubmit(async (document: Document) => {
    try {
      await deleteDocument(document.id);
    } catch (error) {
      close();
      alertUnlessSignedOut(error, 'Failed to delete document. Please try again.');
      // Somebody else was faster, so the list is out of date.
      if (isNotFound(error)) await invalidateDocuments(client);
      return;
    }
    close();
    forgetUpload(document.id);
    showSuccess(`Deleted "${document.filename}"`);
    await onDeleted(document);
  });

  function confirmDelete(document: Document): void {
    setTarget(document);
    open();
  }

  const dialog = (
    <ConfirmDialog
      opened={opened}
      title="Delete document"
      text={`Are you sure you want to delete "${target?.filename}"? This action cannot be undone.`}
      confirmLabel="Delete"
      busy={isPending}
      onConfirm={() => target && submit(target)}
      onCancel={close}
    />
  );
  return { confirmDelete, dialog };
}

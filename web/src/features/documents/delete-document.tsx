import type { Document } from '@customer-database/contract/documents';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isMissing } from '../../api/client.ts';
import { deleteDocument, forgetDocuments } from '../../api/documents.ts';
import { useSubmit } from '../../lib/forms.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { showSuccess } from '../../ui/notices.ts';
import { alertUnlessSignedOut } from './actions.ts';

/** Render `dialog`; `ask` opens it. `onDeleted` runs once the document is gone. */
export function useDeleteDocument(onDeleted: (document: Document) => void | Promise<void>) {
  const client = useQueryClient();
  const [opened, { open, close }] = useDisclosure(false);
  const [asked, setAsked] = useState<Document>();
  const { submit, isPending } = useSubmit(async (document: Document) => {
    try {
      await deleteDocument(document.id);
    } catch (error) {
      close();
      alertUnlessSignedOut(error, 'Failed to delete document. Please try again.');
      // Somebody else was faster: the list is out of date.
      if (isMissing(error)) await forgetDocuments(client);
      return;
    }
    close();
    showSuccess(`"${document.filename}" was deleted.`);
    await onDeleted(document);
  });

  function ask(document: Document): void {
    setAsked(document);
    open();
  }

  const dialog = (
    <ConfirmDialog
      opened={opened}
      title="Delete document"
      text={`Are you sure you want to delete "${asked?.filename}"? This action cannot be undone.`}
      confirmLabel="Delete"
      busy={isPending}
      onConfirm={() => asked && submit(asked)}
      onCancel={close}
    />
  );
  return { ask, dialog };
}

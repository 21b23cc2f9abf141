import type { Document } from '@customer-database/contract/documents';
import { Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { invalidateDocuments, thumbnailOf } from '../../api/documents.ts';
import { useIsAllowed } from '../../api/session.ts';
import { formatFileSize } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { FileTypeIcon } from '../../ui/file-types.tsx';
import { hoverThumbnail } from '../../ui/hover-thumbnail.tsx';
import { type Column, RecordTable } from '../../ui/record-table.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { UserLink } from '../../ui/user-text.tsx';
import { useDeleteDocument } from './delete-document.tsx';
import { DocumentActions } from './document-actions.tsx';
import { DocumentGrid } from './document-grid.tsx';
import classes from './documents.module.css';
import { useDocumentView, ViewSwitch } from './view-switch.tsx';

export const loadingFailed = 'Error loading documents. Please try again.';

const filenameColumn: Column<Document> = {
  header: 'Filename',
  card: 'title',
  cell: (document) => (
    <div className={classes.filename}>
      <FileTypeIcon mimeType={document.mime_type} />
      <UserLink
        to={paths.document(document.id)}
        fw={550}
        {...hoverThumbnail(thumbnailOf(document), document.mime_type)}
      >
        {document.filename}
      </UserLink>
    </div>
  ),
};

const customerColumn: Column<Document> = {
  header: 'Customer',
  width: '26%',
  card: 'line',
  cell: ({ customer_id, customer_name }) => (
    <UserLink to={paths.customer(customer_id)}>{customer_name}</UserLink>
  ),
};

const factColumns: Column<Document>[] = [
  {
    header: 'Size',
    width: '6.5rem',
    figures: true,
    card: 'line',
    cell: ({ file_size }) => formatFileSize(file_size),
  },
  {
    header: 'Uploaded',
    width: '7rem',
    figures: true,
    card: 'date',
    cell: ({ uploaded_at }) => <TimeText value={uploaded_at} />,
  },
];

/** Gets the focus when the document is deleted. */
function linkOfNext(button: HTMLElement): HTMLElement | null | undefined {
  const row = button.closest('tr, [data-record]');
  return (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector<HTMLElement>(
    'a:not([tabindex="-1"])',
  );
}

type DocumentTableProps = {
  documents: Document[] | undefined;
  stale?: boolean;
  /** Off on the customer's own page. */
  withCustomer?: boolean;
};

export function DocumentTable({ documents, stale = false, withCustomer = true }: DocumentTableProps) {
  const client = useQueryClient();
  const mayDelete = useIsAllowed('documents.manage');
  const [view, setView] = useDocumentView();
  const focusNext = useRef<HTMLElement | null | undefined>(null);
  const { ask: confirmDelete, dialog } = useDeleteDocument(async () => {
    await invalidateDocuments(client);
    const next = focusNext.current;
    (next?.isConnected ? next : document.querySelector('h1'))?.focus();
  });

  function onDelete(target: Document, button: HTMLElement): void {
    focusNext.current = linkOfNext(button);
    confirmDelete(target);
  }

  const actions = (row: Document) => (
    <DocumentActions document={row} onDelete={mayDelete ? onDelete : undefined} />
  );
  const columns: Column<Document>[] = [
    filenameColumn,
    ...(withCustomer ? [customerColumn] : []),
    ...factColumns,
    {
      header: 'Actions',
      width: mayDelete ? '8.5rem' : '6.5rem',
      card: 'actions',
      cell: actions,
    },
  ];
  return (
    <Stack gap="xs">
      <ViewSwitch view={view} onChange={setView} />
      {view === 'grid' ? (
        <DocumentGrid documents={documents} stale={stale} withCustomer={withCustomer} actions={actions} />
      ) : (
        <RecordTable
          label="Documents"
          columns={columns}
          rows={documents}
          rowKey={({ id }) => id}
          stale={stale}
        />
      )}
      {dialog}
    </Stack>
  );
}

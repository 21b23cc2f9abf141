import type { DocumentDetails as Details } from '@customer-database/contract/documents';
import { limits } from '@customer-database/contract/limits';
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconExternalLink, IconShieldLock, IconTrash } from '@tabler/icons-react';
import { usePrefetchQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { errorText } from '../../api/client.ts';
import { documentQuery } from '../../api/documents.ts';
import { useRememberOpened } from '../../api/opened-last.ts';
import { useRecordInUrl } from '../../api/record-in-url.ts';
import { removeAfterUnmount } from '../../api/remove-after-unmount.ts';
import { useIsAllowed } from '../../api/session.ts';
import { formatFileSize } from '../../lib/format.ts';
import { useGoBack } from '../../lib/go-back.ts';
import { paths } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { ErrorBanner } from '../../ui/banners.tsx';
import { type DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { FileTypeIcon, fileTypeName } from '../../ui/file-types.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { useDeleteDocument } from './delete-document.tsx';
import { DocumentMissing } from './document-missing.tsx';
import classes from './documents.module.css';
import { DownloadButton } from './download-button.tsx';
import { EditLink } from './edit-document.tsx';
import { ViewerAtUrl, viewerQuery } from './lazy-viewer.tsx';
import { TextFacts } from './text-facts.tsx';
import { viewDocument } from './view-and-download.ts';

const crumbs = [{ to: paths.allDocuments, label: 'All Documents' }];

/** The document whose id is in the URL, with the children below it, or why it is not shown. */
export function DocumentDetails({ children }: { children: (documentId: number) => ReactNode }) {
  const { record: document, error, isLoading, refetch } = useRecordInUrl(documentQuery);
  useRememberOpened('document', document?.id);
  // In parallel with the document.
  usePrefetchQuery(viewerQuery);
  if (isLoading) return <Spinner label="Loading document" />;
  if (document) return <FoundDocument document={document}>{children(document.id)}</FoundDocument>;
  const failure = error && `The document could not be loaded. ${errorText(error, '')}`;
  return (
    <DocumentMissing>{failure && <ErrorBanner text={failure.trim()} onRetry={refetch} />}</DocumentMissing>
  );
}

function FoundDocument({ document, children }: { document: Details; children: ReactNode }) {
  return (
    <Screen
      // Another document is a new screen, which resets focus and state.
      key={document.id}
      record="document"
      title={document.filename}
      crumbs={crumbs}
      actions={<Actions document={document} />}
    >
      <div className={classes.columns}>
        <Stack gap="lg" className={classes.facts ?? ''}>
          <Panel>
            <DescriptionList items={details(document)} />
          </Panel>
          <Alert role="note" color="pine" variant="light" icon={<IconShieldLock />} title="Security notice">
            Access to this document is logged. Download links expire after {limits.linkLifetimeSeconds / 60}{' '}
            minutes.
          </Alert>
        </Stack>
        <ViewerAtUrl document={document} />
      </div>
      {children}
    </Screen>
  );
}

function details(document: Details): DescriptionItem[] {
  const description = document.description && (
    <Text dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
      {document.description}
    </Text>
  );
  const customer = document.customer_name && (
    <Anchor component={Link} to={paths.customer(document.customer_id)} dir="auto">
      {document.customer_name}
    </Anchor>
  );
  const fileType = (
    <Group gap={8} wrap="nowrap" title={document.mime_type}>
      <FileTypeIcon mimeType={document.mime_type} />
      {fileTypeName(document.mime_type)}
      {document.protected && ', protected with a password'}
    </Group>
  );
  return [
    ...(customer ? [{ label: 'Customer', value: customer }] : []),
    { label: 'Uploaded', value: <TimeText value={document.uploaded_at} withTime /> },
    { label: 'Uploaded by', value: <span dir="auto">{document.uploaded_by_name ?? 'Unknown'}</span> },
    { label: 'File size', value: formatFileSize(document.file_size) },
    { label: 'File type', value: fileType },
    // Another server may not extract text.
    ...(document.text ? [{ label: 'Text', value: <TextFacts {...document.text} /> }] : []),
    ...(description ? [{ label: 'Description', value: description, wide: true }] : []),
  ];
}

function Actions({ document }: { document: Details }) {
  const goBack = useGoBack(paths.allDocuments);
  const client = useQueryClient();
  const mayDelete = useIsAllowed('documents.manage');
  const { search } = useLocation();
  const { ask: confirmDelete, dialog } = useDeleteDocument(async () => {
    removeAfterUnmount(client, documentQuery(String(document.id)).queryKey);
    await goBack(paths.document(document.id));
  });
  return (
    <>
      <ActionButton
        icon={<IconExternalLink size={16} aria-hidden />}
        action={() => viewDocument(document.id, search)}
      >
        View in Browser
      </ActionButton>
      <DownloadButton document={document}>Download</DownloadButton>
      <EditLink id={document.id} />
      {mayDelete && (
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => confirmDelete(document)}
        >
          Delete
        </Button>
      )}
      {dialog}
    </>
  );
}

import type { DocumentDetails as Details } from '@customer-database/contract/documents';
import { idParam } from '@customer-database/contract/fields';
import { limits } from '@customer-database/contract/limits';
import { isAllowed } from '@customer-database/contract/permissions';
import { Alert, Anchor, Button, Group, Loader, Text } from '@mantine/core';
import {
  IconDownload,
  IconExternalLink,
  IconFileUnknown,
  IconShieldLock,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { errorText, isNotFound } from '../../api/client.ts';
import { documentQuery } from '../../api/documents.ts';
import { useRememberOpened } from '../../api/opened-last.ts';
import { removeAfterUnmount } from '../../api/remove-after-unmount.ts';
import { useUser } from '../../api/session.ts';
import { formatFileSize } from '../../lib/format.ts';
import { useGoBack } from '../../lib/go-back.ts';
import { paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { type DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FileTypeIcon, fileTypeName } from '../../ui/file-types.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { useDeleteDocument } from './delete-document.tsx';
import { useClickOnce } from './document-actions.tsx';
import { EditLink } from './edit-document.tsx';
import { TextFacts } from './text-facts.tsx';
import { downloadDocument, viewDocument } from './view-and-download.ts';

const crumbs = [{ to: paths.allDocuments, label: 'All Documents' }];

export function DocumentDetails() {
  const { id = '' } = useParams();
  const isValidId = idParam.safeParse(id).success;
  const {
    data: document,
    error,
    isLoading,
    refetch,
  } = useQuery({ ...documentQuery(id), enabled: isValidId });
  useRememberOpened('document', document?.id);
  if (isLoading) return <Spinner label="Loading document" />;
  if (document && !isNotFound(error)) return <FoundDocument document={document} />;
  const failure = error && !isNotFound(error) && `The document could not be loaded. ${errorText(error, '')}`;
  return (
    <Screen title="Document not found">
      {failure && <ErrorBanner text={failure.trim()} onRetry={() => refetch()} />}
      <Empty
        icon={<IconFileUnknown />}
        title="The document you're looking for doesn't exist or you don't have permission to view it."
        action={<LinkButton to={paths.allDocuments}>Back to Documents</LinkButton>}
      />
    </Screen>
  );
}

function FoundDocument({ document }: { document: Details }) {
  return (
    <Screen title={document.filename} crumbs={crumbs} actions={<Actions document={document} />}>
      <Panel>
        <DescriptionList items={details(document)} />
      </Panel>
      <Alert role="note" color="pine" variant="light" icon={<IconShieldLock />} title="Security notice">
        Access to this document is logged. Download links expire after {limits.linkLifetimeSeconds / 60}{' '}
        minutes.
      </Alert>
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
    // Another server may not read texts.
    ...(document.text ? [{ label: 'Text', value: <TextFacts {...document.text} /> }] : []),
    ...(description ? [{ label: 'Description', value: description, wide: true }] : []),
  ];
}

function Actions({ document }: { document: Details }) {
  const goBack = useGoBack(paths.allDocuments);
  const client = useQueryClient();
  const mayDelete = isAllowed(useUser().role, 'documents.write');
  const view = useClickOnce(() => viewDocument(document.id));
  const download = useClickOnce(() => downloadDocument(document.id));
  const { confirmDelete, dialog } = useDeleteDocument(async () => {
    removeAfterUnmount(client, documentQuery(String(document.id)).queryKey);
    await goBack(paths.document(document.id));
  });
  return (
    <>
      <Button
        leftSection={view.busy ? <BusyIcon /> : <IconExternalLink size={16} aria-hidden />}
        aria-busy={view.busy}
        onClick={view.onClick}
      >
        View in Browser
      </Button>
      <Button
        variant="default"
        leftSection={download.busy ? <BusyIcon /> : <IconDownload size={16} aria-hidden />}
        aria-busy={download.busy}
        onClick={download.onClick}
      >
        Download
      </Button>
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

const BusyIcon = () => <Loader size={16} color="currentColor" aria-hidden />;

import type { DocumentDetails } from '@customer-database/contract/documents';
import { IconFileUnknown } from '@tabler/icons-react';
import { usePrefetchQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorText } from '../../api/client.ts';
import { documentQuery } from '../../api/documents.ts';
import { useRememberOpened } from '../../api/opened-last.ts';
import { useRecordInUrl } from '../../api/record-in-url.ts';
import { paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Empty } from '../../ui/empty.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { viewerQuery } from './lazy-viewer.tsx';

/** The document whose id is in the URL, or why it is not shown. */
export function LoadedDocument({ children }: { children: (document: DocumentDetails) => ReactNode }) {
  const { record: document, error, isLoading, refetch } = useRecordInUrl(documentQuery);
  useRememberOpened('document', document?.id);
  // In parallel with the document.
  usePrefetchQuery(viewerQuery);
  if (isLoading) return <Spinner label="Loading document" />;
  if (document) return children(document);
  const failure = error && `The document could not be loaded. ${errorText(error, '')}`;
  return (
    <DocumentMissing>{failure && <ErrorBanner text={failure.trim()} onRetry={refetch} />}</DocumentMissing>
  );
}

export function DocumentMissing({ children }: { children?: ReactNode }) {
  return (
    <Screen title="Document not found">
      {children}
      <Empty
        icon={<IconFileUnknown />}
        title="The document you're looking for doesn't exist or you don't have permission to view it."
        action={<LinkButton to={paths.allDocuments}>Back to Documents</LinkButton>}
      />
    </Screen>
  );
}

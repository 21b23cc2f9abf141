import type { DocumentDetails } from '@customer-database/contract/documents';
import { idParam } from '@customer-database/contract/fields';
import { IconFileUnknown } from '@tabler/icons-react';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { errorText, isNotFound } from '../../api/client.ts';
import { documentQuery } from '../../api/documents.ts';
import { useRememberOpened } from '../../api/opened-last.ts';
import { paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Empty } from '../../ui/empty.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { viewerQuery } from './lazy-viewer.tsx';

/** The document that the address names, or why there is none. */
export function LoadedDocument({ children }: { children: (document: DocumentDetails) => ReactNode }) {
  const { id = '' } = useParams();
  const isValidId = idParam.safeParse(id).success;
  const {
    data: document,
    error,
    isLoading,
    refetch,
  } = useQuery({ ...documentQuery(id), enabled: isValidId });
  useRememberOpened('document', document?.id);
  // While the document is on its way.
  usePrefetchQuery(viewerQuery);
  if (isLoading) return <Spinner label="Loading document" />;
  if (document && !isNotFound(error)) return children(document);
  const failure = error && !isNotFound(error) && `The document could not be loaded. ${errorText(error, '')}`;
  return (
    <DocumentMissing>
      {failure && <ErrorBanner text={failure.trim()} onRetry={() => refetch()} />}
    </DocumentMissing>
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

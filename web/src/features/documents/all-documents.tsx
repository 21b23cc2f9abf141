import { limits } from '@customer-database/contract/limits';
import { IconFiles } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { documentPageQuery } from '../../api/documents.ts';
import { paths } from '../../lib/paths.ts';
import { usePageParam } from '../../lib/url-params.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Empty } from '../../ui/empty.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Screen } from '../../ui/screen.tsx';
import { DocumentTable, loadingFailed } from './document-table.tsx';
import { UploadActions } from './upload-actions.tsx';

export function AllDocuments() {
  const [page, setPage] = usePageParam();
  const { data, isError, isPlaceholderData, refetch } = useQuery(documentPageQuery(page));
  const isEmpty = data?.documents.length === 0 && !isPlaceholderData;

  return (
    <Screen title="All Documents" actions={<UploadActions />}>
      {isError && <ErrorBanner text={loadingFailed} onRetry={() => refetch()} />}
      {isEmpty && (
        <Empty
          icon={<IconFiles />}
          title="No documents found"
          action={page > 1 && <LinkButton to={paths.allDocuments}>Go to the first page</LinkButton>}
        />
      )}
      {!isEmpty && (data || !isError) && (
        <DocumentTable documents={data?.documents} stale={isPlaceholderData} />
      )}
      {!isEmpty && data && (
        <Pager
          page={page}
          totalPages={data.totalPages}
          onPage={setPage}
          records={{ pageSize: limits.pageSize, total: data.total, noun: 'documents' }}
        />
      )}
    </Screen>
  );
}

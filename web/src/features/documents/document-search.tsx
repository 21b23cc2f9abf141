import { type documentSearchAnswer, documentSearchInput } from '@customer-database/contract/documents';
import { limits } from '@customer-database/contract/limits';
import { IconFileSearch, IconFileUnknown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { ApiError } from '../../api/client.ts';
import { documentSearchQuery } from '../../api/documents.ts';
import { useFiltersInAddress } from '../../lib/address.ts';
import { validateWith } from '../../lib/forms.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Screen } from '../../ui/screen.tsx';
import { SearchForm } from '../../ui/search-form.tsx';
import { SearchResults } from '../../ui/search-results.tsx';
import { DocumentTable, loadingFailed } from './document-table.tsx';
import { UploadLink } from './upload-link.tsx';

const fields = [
  { name: 'customer_name', label: 'Customer name' },
  { name: 'customer_email', label: 'Customer email' },
  { name: 'filename', label: 'Filename' },
  { name: 'date_from', label: 'Date from', type: 'date' },
  { name: 'date_to', label: 'Date to', type: 'date' },
] as const;
const names = fields.map(({ name }) => name);
const nothing = { customer_name: '', customer_email: '', filename: '', date_from: '', date_to: '' };

export function DocumentSearch() {
  const { values, filters, setFilters } = useFiltersInAddress(names);
  const { data, error, isError, refetch } = useQuery({
    ...documentSearchQuery(filters ?? {}),
    enabled: filters !== undefined,
  });
  const refused = error instanceof ApiError && error.status === 400 ? error.fields : undefined;

  return (
    <Screen title="Document Search" actions={<UploadLink />}>
      <SearchForm
        label="Document Search"
        fields={fields}
        values={values}
        validate={validateWith(documentSearchInput)}
        errors={refused}
        onSearch={(next) => setFilters(next) || (filters && refetch())}
        onReset={() => setFilters(nothing)}
      />
      {!filters && (
        <Empty
          icon={<IconFileSearch />}
          title="No search performed"
          text="Use the search form above to find documents."
        />
      )}
      {isError && !refused && <ErrorBanner text={loadingFailed} onRetry={() => refetch()} />}
      {filters && (data || !isError) && <FoundDocuments found={data} />}
    </Screen>
  );
}

function FoundDocuments({ found }: { found: z.infer<typeof documentSearchAnswer> | undefined }) {
  if (found?.count === 0) {
    return <Empty icon={<IconFileUnknown />} title="No documents found matching your search criteria." />;
  }
  return (
    <SearchResults
      noun="document"
      found={found && { rows: found.documents, count: found.count, capped: found.count_is_capped }}
      pageSize={limits.pageSize}
      table={(documents) => <DocumentTable documents={documents} />}
    />
  );
}

import { documentSearchInput } from '@customer-database/contract/documents';
import { IconFileSearch, IconFileUnknown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/client.ts';
import { documentSearchQuery } from '../../api/documents.ts';
import { keepDataOfSameSearch, searchSizes } from '../../api/search-batches.ts';
import { validateWith } from '../../lib/forms.ts';
import { useBatchOffset, useFilterParams } from '../../lib/url-params.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Screen } from '../../ui/screen.tsx';
import { SearchForm } from '../../ui/search-form.tsx';
import { SearchResults } from '../../ui/search-results.tsx';
import { DocumentTable, loadingFailed } from './document-table.tsx';
import { JustUploaded } from './just-uploaded.tsx';
import { UploadActions } from './upload-actions.tsx';

const fields = [
  { name: 'customer_name', label: 'Customer name' },
  { name: 'customer_email', label: 'Customer email' },
  { name: 'filename', label: 'Filename' },
  { name: 'text', label: 'Contains text' },
  { name: 'date_from', label: 'Date from', type: 'date' },
  { name: 'date_to', label: 'Date to', type: 'date' },
] as const;
const names = fields.map(({ name }) => name);
const emptyValues = Object.fromEntries(names.map((name) => [name, ''])) as Record<
  (typeof names)[number],
  string
>;

export function DocumentSearch() {
  const { values, filters, setFilters } = useFilterParams(names);
  const offset = useBatchOffset(searchSizes);
  const query = documentSearchQuery(filters ?? {}, searchSizes.batch, offset);
  const { data, error, isError, isPlaceholderData, refetch } = useQuery({
    ...query,
    enabled: filters !== undefined,
    placeholderData: keepDataOfSameSearch(query.queryKey),
  });
  const fieldErrors = error instanceof ApiError && error.status === 400 ? error.fields : undefined;

  return (
    <Screen title="Document Search" actions={<UploadActions />}>
      <SearchForm
        label="Document Search"
        fields={fields}
        values={values}
        validate={validateWith(documentSearchInput)}
        errors={fieldErrors}
        onSearch={(next) => setFilters(next) || (filters && refetch())}
        onReset={() => setFilters(emptyValues)}
      />
      {!filters && <JustUploaded />}
      {!filters && (
        <Empty
          icon={<IconFileSearch />}
          title="No search performed"
          text="Use the search form above to find documents."
        />
      )}
      {isError && !fieldErrors && <ErrorBanner text={loadingFailed} onRetry={() => refetch()} />}
      {data?.count === 0 && filters && (
        <Empty icon={<IconFileUnknown />} title="No documents found matching your search criteria." />
      )}
      {filters && data?.count !== 0 && (data || !isError) && (
        <SearchResults
          key={JSON.stringify(filters)}
          noun="document"
          sizes={searchSizes}
          offset={offset}
          found={
            data && {
              rows: isPlaceholderData ? undefined : data.documents,
              count: data.count,
              capped: data.count_is_capped,
            }
          }
          table={(documents) => <DocumentTable documents={documents} />}
        />
      )}
    </Screen>
  );
}

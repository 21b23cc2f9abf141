import { documentSearchInput } from '@customer-database/contract/documents';
import { IconFileSearch, IconFileUnknown } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { documentSearchQuery } from '../../api/documents.ts';
import { useUrlErrors } from '../../lib/forms.ts';
import { useFilterParams } from '../../lib/url-params.ts';
import { Empty } from '../../ui/empty.tsx';
import { Screen } from '../../ui/screen.tsx';
import { SearchForm } from '../../ui/search-form.tsx';
import { SearchResults } from '../../ui/search-results.tsx';
import { DocumentTable } from './document-table.tsx';
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

export function DocumentSearch() {
  const client = useQueryClient();
  const { values, filters, setFilters } = useFilterParams(names);
  const errors = useUrlErrors(documentSearchInput, filters);
  const searched = errors ? undefined : filters;

  function search(next: typeof values): void {
    if (setFilters(next) || !searched) return;
    client.invalidateQueries({ queryKey: ['documents', 'search', searched] });
  }

  return (
    <Screen title="Document Search" actions={<UploadActions />}>
      <SearchForm
        label="Document Search"
        fields={fields}
        values={values}
        schema={documentSearchInput}
        errors={errors}
        onSearch={search}
        onReset={() => setFilters({})}
      />
      {!filters && <JustUploaded />}
      {searched ? (
        <SearchResults
          key={JSON.stringify(searched)}
          noun="document"
          emptyIcon={<IconFileUnknown />}
          query={(limit, offset) => documentSearchQuery(searched, limit, offset)}
          rowsOf={({ documents }) => documents}
          table={(documents, stale) => <DocumentTable documents={documents} stale={stale} />}
        />
      ) : (
        <Empty
          icon={<IconFileSearch />}
          title="No search performed"
          text="Use the search form above to find documents."
        />
      )}
    </Screen>
  );
}

import { customerFields, customerLabels, customerSearchInput } from '@customer-database/contract/customers';
import { IconSearch, IconUserOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type CustomerFilters, customerSearchQuery } from '../../api/customers.ts';
import { keepDataOfSameSearch, searchSizes } from '../../api/search-batches.ts';
import { useUrlErrors, validateWith } from '../../lib/forms.ts';
import { useBatchOffset, useFilterParams } from '../../lib/url-params.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Screen } from '../../ui/screen.tsx';
import { type SearchField, SearchForm } from '../../ui/search-form.tsx';
import { SearchResults } from '../../ui/search-results.tsx';
import { AddCustomer } from './add-customer.tsx';
import { CustomerTable } from './customer-table.tsx';
import { loadingFailed } from './texts.ts';

type Field = keyof CustomerFilters;
const fieldNames = customerFields.filter((name): name is Field => name !== 'dob');
const fields: SearchField<Field>[] = fieldNames.map((name) => ({
  name,
  label: customerLabels[name],
  ...(name === 'phone_number' ? { type: 'tel' } : {}),
}));
const emptyValues = Object.fromEntries(fieldNames.map((name) => [name, ''])) as Record<Field, string>;

const validate = validateWith(customerSearchInput);

export function CustomerSearch() {
  const queryClient = useQueryClient();
  const { values, filters, setFilters } = useFilterParams(fieldNames);
  const errors = useUrlErrors(validate, filters);
  const searched = errors ? undefined : filters;

  function search(next: Record<Field, string>): void {
    if (setFilters(next) || !searched) return;
    queryClient.invalidateQueries({ queryKey: customerSearchQuery(searched).queryKey });
  }

  const firstField = useRef<HTMLInputElement>(null);
  const isEmpty = filters === undefined;
  // Here and not in the form: the screen around it focuses its heading first.
  useEffect(() => {
    if (isEmpty) firstField.current?.focus();
  }, [isEmpty]);

  return (
    <Screen title="Customer Search" actions={<AddCustomer />}>
      <SearchForm
        label="Customer Search"
        firstField={firstField}
        fields={fields}
        values={values}
        validate={validate}
        errors={errors}
        onSearch={search}
        onReset={() => setFilters(emptyValues)}
      />
      {searched ? (
        <Results filters={searched} />
      ) : (
        <Empty
          icon={<IconSearch />}
          title="No search performed"
          text="Use the search form above to find customers."
        />
      )}
    </Screen>
  );
}

function Results({ filters }: { filters: CustomerFilters }) {
  const offset = useBatchOffset(searchSizes);
  const query = customerSearchQuery(filters, searchSizes.batch, offset);
  const { data, isError, isFetching, isPlaceholderData, refetch } = useQuery({
    ...query,
    placeholderData: keepDataOfSameSearch(query.queryKey),
  });
  if (isError) return <ErrorBanner text={loadingFailed} onRetry={refetch} />;
  if (data?.count === 0) {
    return <Empty icon={<IconUserOff />} title="No customers found matching your search criteria." />;
  }
  const rows = isPlaceholderData ? undefined : data?.customers;
  return (
    <SearchResults
      key={JSON.stringify(filters)}
      noun="customer"
      sizes={searchSizes}
      offset={offset}
      found={data && { rows, count: data.count, capped: data.count_is_capped }}
      table={(customers) => (
        <CustomerTable label="Customers found" customers={customers} stale={data && isFetching} />
      )}
    />
  );
}

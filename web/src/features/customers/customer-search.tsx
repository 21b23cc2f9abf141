import { customerFields, customerLabels, customerSearchInput } from '@customer-database/contract/customers';
import { IconSearch, IconUserOff } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type CustomerFilters, customerSearchQuery } from '../../api/customers.ts';
import { useUrlErrors } from '../../lib/forms.ts';
import { useFilterParams } from '../../lib/url-params.ts';
import { Empty } from '../../ui/empty.tsx';
import { Screen } from '../../ui/screen.tsx';
import { type SearchField, SearchForm } from '../../ui/search-form.tsx';
import { SearchResults } from '../../ui/search-results.tsx';
import { AddCustomer } from './add-customer.tsx';
import { CustomerTable } from './customer-table.tsx';

type Field = keyof CustomerFilters;
const fieldNames = customerFields.filter((name): name is Field => name !== 'dob');
const fields: SearchField<Field>[] = fieldNames.map((name) => ({
  name,
  label: customerLabels[name],
  ...(name === 'phone_number' ? { type: 'tel' } : {}),
}));

export function CustomerSearch() {
  const queryClient = useQueryClient();
  const { values, filters, setFilters } = useFilterParams(fieldNames);
  const errors = useUrlErrors(customerSearchInput, filters);
  const searched = errors ? undefined : filters;

  function search(next: Record<Field, string>): void {
    if (setFilters(next) || !searched) return;
    queryClient.invalidateQueries({ queryKey: ['customers', 'search', searched] });
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
        schema={customerSearchInput}
        errors={errors}
        onSearch={search}
        onReset={() => setFilters({})}
      />
      {searched ? (
        <SearchResults
          key={JSON.stringify(searched)}
          noun="customer"
          emptyIcon={<IconUserOff />}
          query={(limit, offset) => customerSearchQuery(searched, limit, offset)}
          rowsOf={({ customers }) => customers}
          table={(customers, stale) => (
            <CustomerTable label="Customers found" customers={customers} stale={stale} />
          )}
        />
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

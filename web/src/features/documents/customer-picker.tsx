import type { Customer, customerSearchResponse } from '@customer-database/contract/customers';
import { limits } from '@customer-database/contract/limits';
import { Loader, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { z } from 'zod';
import { customerFiltersFor, customerSearchQuery } from '../../api/customers.ts';
import { formatNumber } from '../../lib/format.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { UserText } from '../../ui/user-text.tsx';
import classes from './documents.module.css';

const maxOptions = 20;

/** The options before anything is typed. */
export const firstCustomersQuery = customerSearchQuery({}, maxOptions);

const searchHint = 'Type a name, an email address or a phone number';

/** Says when the list is incomplete. */
function describe(found: z.infer<typeof customerSearchResponse> | undefined): string {
  if (!found || found.count <= found.customers.length) return `${searchHint}.`;
  const total = `${found.count_is_capped ? 'more than ' : ''}${formatNumber(found.count)}`;
  return `The list shows ${found.customers.length} of ${total} customers. ${searchHint} to find the others.`;
}

export type PickedCustomer = Pick<Customer, 'id' | 'name' | 'email' | 'phone_number'>;

type CustomerPickerProps = {
  value: PickedCustomer | null;
  onChange: (customer: PickedCustomer | null) => void;
  error?: ReactNode;
  disabled?: boolean;
  'data-path'?: string;
  /** The first focus of a dialog. */
  'data-autofocus'?: boolean;
};

/** Scales to any number of customers: the server searches as the user types. */
export function CustomerPicker({ value, onChange, ...input }: CustomerPickerProps) {
  const [typed, setTyped] = useState('');
  // The field shows the selected customer's name, which is not a search term.
  const term = typed === value?.name ? '' : typed;
  const [debouncedTerm] = useDebouncedValue(term, 200);
  const { data, isFetching, isPlaceholderData, isError, refetch } = useQuery({
    ...customerSearchQuery(customerFiltersFor(debouncedTerm), maxOptions),
    placeholderData: keepPreviousData,
  });
  // Hides the results of an older term: picking the first would select the wrong customer.
  const isAnswered = term === debouncedTerm && !isPlaceholderData;
  const found: PickedCustomer[] = (isAnswered && data?.customers) || [];
  const isFound = (id: number) => found.some((customer) => customer.id === id);
  const options = value && !isFound(value.id) ? [value, ...found] : found;
  const isSearching = isFetching || term !== debouncedTerm;

  return (
    <Stack gap="xs">
      <Select<number>
        label="Customer"
        description={describe(data)}
        placeholder="Select a customer"
        withAsterisk
        searchable
        allowDeselect={false}
        maxLength={limits.searchTermLength}
        data={options.map(({ id, name }) => ({ value: id, label: name }))}
        // The selected customer must be among the data, but does not match every term.
        filter={({ options: all }) =>
          term === '' ? all : all.filter((option) => 'value' in option && isFound(option.value))
        }
        value={value?.id ?? null}
        onChange={(id) => onChange(options.find((customer) => customer.id === id) ?? null)}
        onSearchChange={setTyped}
        renderOption={({ option }) => (
          <CustomerOption customer={options.find(({ id }) => id === option.value)} />
        )}
        nothingFoundMessage={isSearching ? 'Searching…' : 'No customers found'}
        rightSection={isSearching && typed ? <Loader size={16} aria-hidden /> : undefined}
        // For screen readers, the list itself scrolls and stays inside the main region.
        withScrollArea={false}
        classNames={{ options: classes.options ?? '' }}
        comboboxProps={{ withinPortal: false }}
        dir="auto"
        {...input}
      />
      {isError && <ErrorBanner text="Error loading customers. Please try again." onRetry={refetch} />}
    </Stack>
  );
}

/** Several customers may share a name; the email tells them apart. */
function CustomerOption({ customer }: { customer: PickedCustomer | undefined }) {
  return (
    <div style={{ minWidth: 0 }}>
      <UserText lines={1}>{customer?.name}</UserText>
      <Text size="xs" c="dimmed" truncate dir="auto">
        {customer?.email ?? customer?.phone_number ?? 'No email'}
      </Text>
    </div>
  );
}

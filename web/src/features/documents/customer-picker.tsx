import type { Customer, customerSearchAnswer } from '@customer-database/contract/customers';
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

const optionsShown = 20;

/** What is offered before anything is typed. */
export const firstCustomersQuery = customerSearchQuery({}, optionsShown);

const howToFind = 'Type a name, an email address or a phone number';

/** The list is no place to look through thousands, and does not pretend to be. */
function describe(found: z.infer<typeof customerSearchAnswer> | undefined): string {
  if (!found || found.count <= found.customers.length) return `${howToFind}.`;
  const total = `${found.count_is_capped ? 'more than ' : ''}${formatNumber(found.count)}`;
  return `The list shows ${found.customers.length} of ${total} customers. ${howToFind} to find the others.`;
}

type CustomerPickerProps = {
  value: Customer | null;
  onChange: (customer: Customer | null) => void;
  error?: ReactNode;
  disabled?: boolean;
  'data-path'?: string;
};

/** Finds one customer among any number: the server searches while one types. */
export function CustomerPicker({ value, onChange, ...input }: CustomerPickerProps) {
  const [typed, setTyped] = useState('');
  // The name of the chosen one stands in the field, but nobody is looking for it.
  const term = typed === value?.name ? '' : typed;
  const [settledTerm] = useDebouncedValue(term, 200);
  const { data, isFetching, isPlaceholderData, isError, refetch } = useQuery({
    ...customerSearchQuery(customerFiltersFor(settledTerm), optionsShown),
    placeholderData: keepPreviousData,
  });
  // Those of an older question are not offered: whoever types and takes the first would get somebody else.
  const isAnswered = term === settledTerm && !isPlaceholderData;
  const found = (isAnswered && data?.customers) || [];
  const isFound = (id: number) => found.some((customer) => customer.id === id);
  const offered = value && !isFound(value.id) ? [value, ...found] : found;
  const isSearching = isFetching || term !== settledTerm;

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
        data={offered.map(({ id, name }) => ({ value: id, label: name }))}
        // Who is chosen has to be known to the field, but is no answer to another question.
        filter={({ options }) =>
          term === '' ? options : options.filter((option) => 'value' in option && isFound(option.value))
        }
        value={value?.id ?? null}
        onChange={(id) => onChange(offered.find((customer) => customer.id === id) ?? null)}
        onSearchChange={setTyped}
        renderOption={({ option }) => (
          <CustomerOption customer={offered.find(({ id }) => id === option.value)} />
        )}
        nothingFoundMessage={isSearching ? 'Searching…' : 'No customers found'}
        rightSection={isSearching && typed ? <Loader size={16} aria-hidden /> : undefined}
        // The list itself scrolls, and stays inside the main region, for the sake of screen readers.
        withScrollArea={false}
        classNames={{ options: classes.options ?? '' }}
        comboboxProps={{ withinPortal: false }}
        dir="auto"
        {...input}
      />
      {isError && <ErrorBanner text="Error loading customers. Please try again." onRetry={() => refetch()} />}
    </Stack>
  );
}

/** Several customers may share a name; the email tells them apart. */
function CustomerOption({ customer }: { customer: Customer | undefined }) {
  return (
    <div style={{ minWidth: 0 }}>
      <UserText lines={1}>{customer?.name}</UserText>
      <Text size="xs" c="dimmed" truncate dir="auto">
        {customer?.email ?? customer?.phone_number ?? 'No email'}
      </Text>
    </div>
  );
}

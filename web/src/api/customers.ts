import type {
  CreateCustomerInput,
  Customer,
  CustomerSearchInput,
  customerAnswer,
  customerListAnswer,
  customerSearchAnswer,
  savedCustomerAnswer,
  UpdateCustomerInput,
} from '@customer-database/contract/customers';
import { limits } from '@customer-database/contract/limits';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { call } from './client.ts';

export type CustomerFilters = Partial<Omit<CustomerSearchInput, 'limit'>>;

export const customerPageQuery = (page: number) =>
  queryOptions({
    queryKey: ['customers', 'page', page],
    queryFn: ({ signal }) =>
      call<z.infer<typeof customerListAnswer>>(
        'GET',
        `/api/customers?page=${page}&limit=${limits.pageSize}`,
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export const customerSearchQuery = (filters: CustomerFilters, limit: number = limits.maxSearchResults) =>
  queryOptions({
    queryKey: ['customers', 'search', filters, limit],
    queryFn: ({ signal }) =>
      call<z.infer<typeof customerSearchAnswer>>('POST', '/api/customers/search', {
        body: { ...filters, limit },
        signal,
      }),
  });

/** One box for everything: an email has an @, a phone number has digits, anything else is a name. */
export function customerFiltersFor(text: string): CustomerFilters {
  const term = text.trim();
  if (term === '') return {};
  if (term.includes('@')) return { email: term };
  return /^[\d\s()+./-]*\d[\d\s()+./-]*$/.test(term) ? { phone_number: term } : { name: term };
}

export const customerQuery = (id: string) =>
  queryOptions({
    queryKey: ['customers', 'one', id],
    queryFn: async ({ signal }) => {
      const path = `/api/customers/${encodeURIComponent(id)}`;
      return (await call<z.infer<typeof customerAnswer>>('GET', path, { signal })).customer;
    },
  });

export async function createCustomer(input: CreateCustomerInput): Promise<Customer> {
  return (await call<z.infer<typeof savedCustomerAnswer>>('POST', '/api/customers', { body: input }))
    .customer;
}

export async function updateCustomer(id: number, input: UpdateCustomerInput): Promise<Customer> {
  const path = `/api/customers/${id}`;
  return (await call<z.infer<typeof savedCustomerAnswer>>('PUT', path, { body: input })).customer;
}

export function deleteCustomer(id: number): Promise<{ message: string }> {
  return call('DELETE', `/api/customers/${id}`);
}

/** Documents show the names of their customers, the dashboard counts both. */
export async function forgetCustomers(client: QueryClient): Promise<void> {
  await Promise.all(
    ['customers', 'documents', 'dashboard'].map((key) => client.invalidateQueries({ queryKey: [key] })),
  );
}

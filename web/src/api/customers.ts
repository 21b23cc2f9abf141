import {
  type CreateCustomerInput,
  type Customer,
  type CustomerChanges,
  type CustomerSearchInput,
  type customerAnswer,
  type customerListAnswer,
  customer as customerSchema,
  type customerSearchAnswer,
  savedCustomerAnswer,
} from '@customer-database/contract/customers';
import type { ErrorCode } from '@customer-database/contract/errors';
import { limits } from '@customer-database/contract/limits';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { ApiError, call, tell } from './client.ts';

export type CustomerFilters = Partial<Omit<CustomerSearchInput, 'limit' | 'offset'>>;

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

export const customerSearchQuery = (
  filters: CustomerFilters,
  limit: number = limits.maxSearchResults,
  offset = 0,
) =>
  queryOptions({
    queryKey: ['customers', 'search', filters, limit, offset],
    queryFn: ({ signal }) =>
      call<z.infer<typeof customerSearchAnswer>>('POST', '/api/customers/search', {
        body: { ...filters, limit, ...(offset > 0 && { offset }) },
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

/** The saved record, where the server tells it. */
const savedIn = (answer: unknown) => savedCustomerAnswer.safeParse(answer).data?.customer;

/** With `check` nothing is saved beside a possible duplicate: see `duplicateIn`. */
export type SaveOptions = { check: boolean };
const queryOf = ({ check }: SaveOptions) => (check ? '?check=duplicates' : '');

export async function createCustomer(
  input: CreateCustomerInput,
  options: SaveOptions,
): Promise<Customer | undefined> {
  return savedIn(await tell('POST', `/api/customers${queryOf(options)}`, { body: input }));
}

/** `updated_at` is the state that the changes were made on: see `conflictIn`. */
export async function updateCustomer(
  id: number,
  changes: CustomerChanges & { updated_at: string },
  options: SaveOptions,
): Promise<Customer | undefined> {
  return savedIn(await tell('PUT', `/api/customers/${id}${queryOf(options)}`, { body: changes }));
}

const recordIn = (error: unknown, code: ErrorCode) =>
  error instanceof ApiError && error.code === code ? customerSchema.safeParse(error.current).data : undefined;

/** The customer as somebody else saved it meanwhile. */
export const conflictIn = (error: unknown) => recordIn(error, 'CONFLICT');

/** Another customer with the same email, or the same name and date of birth. */
export const duplicateIn = (error: unknown) => recordIn(error, 'POSSIBLE_DUPLICATE');

export function deleteCustomer(id: number): Promise<unknown> {
  return tell('DELETE', `/api/customers/${id}`);
}

/** Documents show the names of their customers, the dashboard counts both. */
export async function forgetCustomers(client: QueryClient): Promise<void> {
  await Promise.all(
    ['customers', 'documents', 'dashboard'].map((key) => client.invalidateQueries({ queryKey: [key] })),
  );
}

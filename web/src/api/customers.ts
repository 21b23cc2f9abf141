import {
  type CreateCustomerInput,
  type Customer,
  type CustomerChanges,
  type CustomerSearchInput,
  type customerListResponse,
  type customerResponse,
  customer as customerSchema,
  type customerSearchResponse,
  savedCustomerResponse,
} from '@customer-database/contract/customers';
import type { ErrorCode } from '@customer-database/contract/errors';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { ApiError, call, callUntyped } from './client.ts';
import { invalidate, pageQuery, searchQuery } from './lists.ts';

export type CustomerFilters = Partial<Omit<CustomerSearchInput, 'limit' | 'offset'>>;

export const customerPageQuery = (page: number) =>
  pageQuery<z.infer<typeof customerListResponse>>('customers', page);

export const customerSearchQuery = (filters: CustomerFilters, limit?: number, offset?: number) =>
  searchQuery<z.infer<typeof customerSearchResponse>>('customers', filters, limit, offset);

/** Guesses what was typed: an email has an @, a phone number only digits and punctuation, the rest is a name. */
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
      return (await call<z.infer<typeof customerResponse>>('GET', path, { signal })).customer;
    },
  });

/** The saved record, if the server returns it. */
const savedCustomer = (answer: unknown) => savedCustomerResponse.safeParse(answer).data?.customer;

/** With `checkDuplicates`, a possible duplicate fails the call: see `findDuplicate`. */
export type SaveOptions = { checkDuplicates: boolean };
const query = ({ checkDuplicates }: SaveOptions) => (checkDuplicates ? '?check=duplicates' : '');

export async function createCustomer(
  input: CreateCustomerInput,
  options: SaveOptions,
): Promise<Customer | undefined> {
  return savedCustomer(await callUntyped('POST', `/api/customers${query(options)}`, { body: input }));
}

/** `updated_at` is the version that was edited: see `findConflict`. */
export async function updateCustomer(
  id: number,
  changes: CustomerChanges & { updated_at: string },
  options: SaveOptions,
): Promise<Customer | undefined> {
  return savedCustomer(await callUntyped('PUT', `/api/customers/${id}${query(options)}`, { body: changes }));
}

const currentCustomer = (error: unknown, code: ErrorCode) =>
  error instanceof ApiError && error.code === code
    ? customerSchema.safeParse(error.body.current).data
    : undefined;

/** The customer as another user has saved it in the meantime. */
export const findConflict = (error: unknown) => currentCustomer(error, 'CONFLICT');

/** Another customer with the same email, or the same name and date of birth. */
export const findDuplicate = (error: unknown) => currentCustomer(error, 'POSSIBLE_DUPLICATE');

export function deleteCustomer(id: number): Promise<unknown> {
  return callUntyped('DELETE', `/api/customers/${id}`);
}

/** Documents and searches show customer names, and the dashboard counts both. */
export const invalidateCustomers = (client: QueryClient) =>
  invalidate(client, 'customers', 'documents', 'search', 'dashboard', 'activity');

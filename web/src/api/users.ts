import type {
  changedUserResponse,
  credentialDeliveryResponse,
  ManagedUser,
  UpdateUserInput,
  UserListQuery,
  userListResponse,
} from '@customer-database/contract/users';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { call } from './client.ts';
import { invalidate } from './lists.ts';

export type UserFilters = Omit<UserListQuery, 'q' | 'limit'> & { q: string };

export const userListQueryOptions = ({ q, sort, order, page }: UserFilters) =>
  queryOptions({
    queryKey: ['users', 'page', q, sort, order, page],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ ...(q && { q }), sort, order, page: String(page) });
      return call<z.infer<typeof userListResponse>>('GET', `/api/users?${query}`, { signal });
    },
    placeholderData: keepPreviousData,
  });

export async function updateUser(id: number, changes: UpdateUserInput): Promise<ManagedUser> {
  const answer = await call<z.infer<typeof changedUserResponse>>('PUT', `/api/users/${id}`, {
    body: changes,
  });
  return answer.user;
}

export type UserAction =
  | 'resend-invitation'
  | 'withdraw-invitation'
  | 'reset-password'
  | 'reset-mfa'
  | 'end-sessions'
  | 'disable'
  | 'enable';

/** Some actions return a temporary password, or say that it was mailed. */
export type UserActionAnswer = { message: string } & Partial<
  Pick<z.infer<typeof credentialDeliveryResponse>, 'delivery' | 'temporary_password'>
>;

export function actOnUser(id: number, action: UserAction): Promise<UserActionAnswer> {
  return call('POST', `/api/users/${id}/${action}`);
}

export const invalidateUsers = (client: QueryClient) => invalidate(client, 'users', 'dashboard');

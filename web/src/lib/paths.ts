import { isAllowed, type Permission, type Role } from '@customer-database/contract/permissions';
import { matchPath } from 'react-router';

/** Every path of the application. */
export const paths = {
  login: '/login',
  dashboard: '/dashboard',
  customers: '/customers',
  allCustomers: '/customers/all',
  newCustomer: '/customers/new',
  customer: (id: number | string) => `/customers/${id}`,
  editCustomer: (id: number | string) => `/customers/${id}/edit`,
  documents: '/documents',
  allDocuments: '/documents/all',
  uploadDocument: '/documents/upload',
  /** Preselects the customer. */
  uploadFor: (customerId: number) => `/documents/upload?customer=${customerId}`,
  document: (id: number | string) => `/documents/${id}`,
  editDocument: (id: number | string) => `/documents/${id}/edit`,
  /** A signed link to view a document in a new tab. The server makes it. */
  linkedDocument: (id: number | string) => `/api/documents/${id}/content`,
  /** A page that a search found; `q` is its question. */
  foundPage: (id: number, page: number, q: string) =>
    `/documents/${id}?${new URLSearchParams({ page: String(page), q })}`,
  search: '/search',
  searchFor: (q: string) => `/search?${new URLSearchParams({ q })}`,
  /** Searches the documents of one customer. */
  searchOf: (customerId: number) => `/search?customer_id=${customerId}`,
  profile: '/profile',
  changePassword: '/change-password',
  users: '/admin/users',
  invite: '/admin/invite',
  activity: '/admin/activity',
  activityWith: (filters: Record<string, string>) => `/admin/activity?${new URLSearchParams(filters)}`,
} as const;

const restricted: Record<string, Permission> = {
  [paths.newCustomer]: 'customers.manage',
  [paths.editCustomer(':id')]: 'customers.manage',
  [paths.uploadDocument]: 'documents.manage',
  [paths.editDocument(':id')]: 'documents.manage',
  [paths.users]: 'users.manage',
  [paths.invite]: 'users.invite',
  [paths.activity]: 'activity.read',
};

/** The path of the screen, with `:id`, that this role may not open; undefined if it may. */
export function deniedPath(role: Role, pathname: string): string | undefined {
  return Object.entries(restricted).find(
    ([path, permission]) => matchPath(path, pathname) && !isAllowed(role, permission),
  )?.[0];
}

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
  /** The page that a search found, and what it searched for. */
  foundPage: (id: number, page: number, q: string) =>
    `/documents/${id}?${new URLSearchParams({ page: String(page), q })}`,
  search: '/search',
  searchFor: (q: string) => `/search?${new URLSearchParams({ q })}`,
  /** Only among the documents of this customer. */
  searchOf: (customerId: number) => `/search?customer_id=${customerId}`,
  profile: '/profile',
  changePassword: '/change-password',
  invite: '/admin/invite',
} as const;

const restricted: { path: string; permission: Permission; deniedText: string }[] = [
  {
    path: paths.newCustomer,
    permission: 'customers.write',
    deniedText: "You don't have permission to create customers.",
  },
  {
    path: paths.editCustomer(':id'),
    permission: 'customers.write',
    deniedText: "You don't have permission to edit customers.",
  },
  {
    path: paths.uploadDocument,
    permission: 'documents.write',
    deniedText: "You don't have permission to upload documents.",
  },
  {
    path: paths.editDocument(':id'),
    permission: 'documents.write',
    deniedText: "You don't have permission to edit documents.",
  },
  {
    path: paths.invite,
    permission: 'users.invite',
    deniedText: "You don't have permission to access this page.",
  },
];

/** Why this role may not open a path; undefined if it may. */
export function deniedText(role: Role, pathname: string): string | undefined {
  const found = restricted.find(({ path }) => matchPath(path, pathname));
  return found && !isAllowed(role, found.permission) ? found.deniedText : undefined;
}

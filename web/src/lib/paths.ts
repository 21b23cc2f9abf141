/** Every address of the application, in one place. */
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
  /** The upload screen with the customer already chosen. */
  uploadFor: (customerId: number) => `/documents/upload?customer=${customerId}`,
  document: (id: number | string) => `/documents/${id}`,
  profile: '/profile',
  changePassword: '/change-password',
  invite: '/admin/invite',
} as const;

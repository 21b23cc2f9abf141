import type { ComponentType } from 'react';

/** Each screen is a file of its own in the build, fetched when it is first needed. */
const screen = (load: () => Promise<ComponentType>) => async () => ({ Component: await load() });

export const login = screen(async () => (await import('../features/auth/login.tsx')).Login);
export const shell = screen(async () => (await import('./shell/shell.tsx')).Shell);
export const dashboard = screen(async () => (await import('../features/dashboard/dashboard.tsx')).Dashboard);
export const customerSearch = screen(
  async () => (await import('../features/customers/customer-search.tsx')).CustomerSearch,
);
export const allCustomers = screen(
  async () => (await import('../features/customers/all-customers.tsx')).AllCustomers,
);
export const customer = screen(async () => (await import('./customer-screen.tsx')).CustomerScreen);
export const newCustomer = screen(
  async () => (await import('../features/customers/new-customer.tsx')).NewCustomer,
);
export const editCustomer = screen(
  async () => (await import('../features/customers/edit-customer.tsx')).EditCustomer,
);
export const documentSearch = screen(
  async () => (await import('../features/documents/document-search.tsx')).DocumentSearch,
);
export const allDocuments = screen(
  async () => (await import('../features/documents/all-documents.tsx')).AllDocuments,
);
export const document = screen(
  async () => (await import('../features/documents/document-details.tsx')).DocumentDetails,
);
export const uploadDocument = screen(
  async () => (await import('../features/documents/upload-document.tsx')).UploadDocument,
);
export const profile = screen(async () => (await import('../features/account/profile.tsx')).Profile);
export const changePassword = screen(
  async () => (await import('../features/account/change-password.tsx')).ChangePassword,
);
export const invite = screen(async () => (await import('../features/admin/invite.tsx')).Invite);

export const quickSearch = async () => ({ default: (await import('./shell/quick-search.tsx')).QuickSearch });

const afterSignIn = [
  dashboard,
  customerSearch,
  allCustomers,
  customer,
  documentSearch,
  allDocuments,
  document,
  profile,
];

/** Fetches what comes next while nothing else is going on, so that a click never waits for code. */
export function fetchScreensWhenIdle(): void {
  const fetchAll = () => {
    for (const load of [...afterSignIn, quickSearch]) load().catch(() => undefined);
  };
  // Not in every browser yet.
  if ('requestIdleCallback' in window) window.requestIdleCallback(fetchAll, { timeout: 5_000 });
  else setTimeout(fetchAll, 2_000);
}

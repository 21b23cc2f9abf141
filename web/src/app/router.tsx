import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { paths } from '../lib/paths.ts';
import { Spinner } from '../ui/spinner.tsx';
import { ErrorPage } from './error-page.tsx';
import { SignedInOnly } from './signed-in-only.tsx';

type Screens = typeof import('./screens.ts').screens;

const screen = (name: keyof Screens) => async () => ({
  Component: (await import('./screens.ts')).screens[name],
});

const login = async () => ({ Component: (await import('../features/sign-in/login.tsx')).Login });

const linkedDocument = async () => ({
  Component: (await import('../features/documents/linked-document.tsx')).LinkedDocument,
});

const signedInRoutes: RouteObject[] = [
  { path: paths.dashboard, lazy: screen('Dashboard') },
  { path: paths.customers, lazy: screen('CustomerSearch') },
  { path: paths.allCustomers, lazy: screen('AllCustomers') },
  { path: paths.newCustomer, lazy: screen('NewCustomer') },
  { path: paths.customer(':id'), lazy: screen('CustomerScreen') },
  { path: paths.editCustomer(':id'), lazy: screen('EditCustomer') },
  { path: paths.documents, lazy: screen('DocumentSearch') },
  { path: paths.allDocuments, lazy: screen('AllDocuments') },
  { path: paths.uploadDocument, lazy: screen('UploadDocument') },
  { path: paths.document(':id'), lazy: screen('DocumentScreen') },
  { path: paths.editDocument(':id'), lazy: screen('EditDocument') },
  { path: paths.search, lazy: screen('Search') },
  { path: paths.profile, lazy: screen('Profile') },
  { path: paths.changePassword, lazy: screen('ChangePassword') },
  { path: paths.users, lazy: screen('Users') },
  { path: paths.invite, lazy: screen('Invite') },
  { path: paths.activity, lazy: screen('Activity') },
];

export const router = createBrowserRouter([
  {
    ErrorBoundary: ErrorPage,
    HydrateFallback: Spinner,
    children: [
      { path: paths.login, lazy: login },
      { path: paths.linkedDocument(':id'), lazy: linkedDocument },
      {
        Component: SignedInOnly,
        children: [
          {
            lazy: screen('Shell'),
            children: [
              { lazy: screen('AllowedOnly'), ErrorBoundary: ErrorPage, children: signedInRoutes },
              { path: '*', element: <Navigate to={paths.dashboard} replace /> },
            ],
          },
        ],
      },
    ],
  },
]);

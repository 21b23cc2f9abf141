import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { paths } from '../lib/paths.ts';
import { Spinner } from '../ui/spinner.tsx';
import { ErrorPage } from './error-page.tsx';
import { AllowedOnly, SignedInOnly } from './guards.tsx';
import * as screens from './screens.ts';

const signedIn: RouteObject[] = [
  { path: paths.dashboard, lazy: screens.dashboard },
  { path: paths.customers, lazy: screens.customerSearch },
  { path: paths.allCustomers, lazy: screens.allCustomers },
  { path: paths.newCustomer, lazy: screens.newCustomer },
  { path: paths.customer(':id'), lazy: screens.customer },
  { path: paths.editCustomer(':id'), lazy: screens.editCustomer },
  { path: paths.documents, lazy: screens.documentSearch },
  { path: paths.allDocuments, lazy: screens.allDocuments },
  { path: paths.uploadDocument, lazy: screens.uploadDocument },
  { path: paths.document(':id'), lazy: screens.document },
  { path: paths.profile, lazy: screens.profile },
  { path: paths.changePassword, lazy: screens.changePassword },
  { path: paths.invite, lazy: screens.invite },
];

export const router = createBrowserRouter([
  {
    ErrorBoundary: ErrorPage,
    HydrateFallback: Spinner,
    children: [
      { path: paths.login, lazy: screens.login },
      {
        Component: SignedInOnly,
        children: [
          {
            lazy: screens.shell,
            children: [
              { Component: AllowedOnly, ErrorBoundary: ErrorPage, children: signedIn },
              { path: '*', element: <Navigate to={paths.dashboard} replace /> },
            ],
          },
        ],
      },
    ],
  },
]);

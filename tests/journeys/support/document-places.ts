import type { Document } from '@customer-database/contract/documents';
import type { Locator, Page } from '@playwright/test';

type Action = 'View' | 'Download' | 'Delete';

/** A screen with actions for a document. */
export type DocumentPlace = {
  name: string;
  path: (document: Document) => string;
  button: (page: Page, action: Action, document: Document) => Locator;
};

const inRow: DocumentPlace['button'] = (page, action, { filename }) =>
  page.getByRole('button', { name: `${action} ${filename}`, exact: true });

const onTop: DocumentPlace['button'] = (page, action) =>
  page.getByRole('button', { name: action === 'View' ? 'View in Browser' : action, exact: true });

export const detailsPlace: DocumentPlace = {
  name: 'the details of the document',
  path: ({ id }) => `/documents/${id}`,
  button: onTop,
};

export const listPlace: DocumentPlace = {
  name: 'the list of all documents',
  path: () => '/documents/all',
  button: inRow,
};

export const documentPlaces: DocumentPlace[] = [
  {
    name: 'the document search',
    path: ({ filename }) => `/documents?filename=${encodeURIComponent(filename)}`,
    button: inRow,
  },
  listPlace,
  { name: "the customer's page", path: ({ customer_id }) => `/customers/${customer_id}`, button: inRow },
  detailsPlace,
];

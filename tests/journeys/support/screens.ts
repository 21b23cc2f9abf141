import { expect, type Page } from '@playwright/test';
import { paths } from '../../../web/src/lib/paths.ts';

type Screen = Exclude<
  keyof typeof paths,
  'login' | 'linkedDocument' | 'uploadFor' | 'foundPage' | 'searchFor' | 'searchOf' | 'activityWith'
>;

/** Who may open each screen. */
const mayOpen: Record<Screen, 'every user' | 'administrators'> = {
  dashboard: 'every user',
  customers: 'every user',
  allCustomers: 'every user',
  customer: 'every user',
  documents: 'every user',
  allDocuments: 'every user',
  document: 'every user',
  search: 'every user',
  profile: 'every user',
  changePassword: 'every user',
  newCustomer: 'administrators',
  editCustomer: 'administrators',
  uploadDocument: 'administrators',
  editDocument: 'administrators',
  users: 'administrators',
  invite: 'administrators',
  activity: 'administrators',
};

type Ids = { customer: number; document: number };

function pathOf(screen: Screen, ids: Ids): string {
  const path = paths[screen];
  if (typeof path === 'string') return path;
  return path(screen.toLowerCase().includes('customer') ? ids.customer : ids.document);
}

const pathsFor = (users: 'every user' | 'administrators') => (ids: Ids) =>
  (Object.keys(mayOpen) as Screen[])
    .filter((screen) => mayOpen[screen] === users)
    .map((screen) => pathOf(screen, ids));

/** The paths of the screens that need a sign-in. */
export const signedInPaths = pathsFor('every user');
export const adminPaths = pathsFor('administrators');

/** The screen has loaded with its content. */
export async function expectScreen(page: Page, title: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0);
}

/** Links and buttons for what only administrators may do. */
export const adminActions = (page: Page) =>
  page
    .getByRole('link', { name: adminActionName })
    .or(page.getByRole('button', { name: adminActionName }))
    .or(page.getByRole('option', { name: adminActionName }));

const adminActionName = /\b(add customer|edit|upload|delete|invite|activity|history)\b/i;

import { expect, type Page } from '@playwright/test';

/** The path of every screen that needs a sign-in. */
export const signedInPaths = (ids: { customer: number; document: number }) => [
  '/dashboard',
  '/customers',
  '/customers/all',
  `/customers/${ids.customer}`,
  '/documents',
  '/documents/all',
  `/documents/${ids.document}`,
  '/search',
  '/profile',
  '/change-password',
];

export const adminPaths = (ids: { customer: number; document: number }) => [
  '/customers/new',
  `/customers/${ids.customer}/edit`,
  '/documents/upload',
  `/documents/${ids.document}/edit`,
  '/admin/users',
  '/admin/invite',
  '/admin/activity',
];

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

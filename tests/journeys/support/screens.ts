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

/**
 * Opens a screen. Where the application is already loaded, it is navigated instead of being loaded again, which takes
 * several times as long.
 */
export async function visit(page: Page, path: string): Promise<void> {
  const isLoaded = await page.evaluate((to) => {
    const index: number | undefined = history.state?.idx;
    if (index === undefined) return false;
    // What the router stores for each of its entries.
    history.pushState({ idx: index + 1, key: String(Math.random()) }, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
    return true;
  }, path);
  if (!isLoaded) await page.goto(path);
}

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

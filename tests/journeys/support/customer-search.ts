import { expect, type Page } from '@playwright/test';

export const searchLabels = [
  'Name',
  'Email',
  'Phone number',
  'Street line',
  'City',
  'Province',
  'Country',
] as const;

const formOf = (page: Page) => page.getByRole('search', { name: 'Customer Search' });
export const searchField = (page: Page, label: (typeof searchLabels)[number]) =>
  formOf(page).getByLabel(label, { exact: true });
export const search = (page: Page) => formOf(page).getByRole('button', { name: 'Search' }).click();
export const reset = (page: Page) => formOf(page).getByRole('button', { name: 'Reset' }).click();

/** The name in the results, which links to the customer. */
export const found = (page: Page, name: string) =>
  page.getByRole('table').getByRole('link', { name, exact: true });

export async function expectNoSearch(page: Page): Promise<void> {
  await expect(page.getByText('No search performed', { exact: true })).toBeVisible();
  await expect(page.getByText('Use the search form above to find customers.', { exact: true })).toBeVisible();
  await expect(page.getByRole('table')).toHaveCount(0);
}

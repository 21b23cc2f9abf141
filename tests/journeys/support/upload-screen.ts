import type { Customer } from '@customer-database/contract/customers';
import { expect, type Page } from '@playwright/test';

export const customerField = (page: Page) => page.getByRole('combobox', { name: 'Customer' });
export const uploadButton = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Upload Document', exact: true });
export const progressBar = (page: Page) => page.getByRole('progressbar', { name: 'Upload progress' });

export async function openUpload(page: Page, customer?: Customer): Promise<void> {
  await page.goto(customer ? `/documents/upload?customer=${customer.id}` : '/documents/upload');
  await expect(customerField(page)).toHaveValue(customer?.name ?? '');
}

/** Both in the bar and in the text next to it. */
export async function expectProgress(page: Page, percent: number): Promise<void> {
  await expect(progressBar(page)).toHaveAttribute('aria-valuenow', String(percent));
  await expect(page.getByText(`${percent}%`, { exact: true })).toBeVisible();
}

import { type CustomerField, customerLabels } from '@customer-database/contract/customers';
import type { Page } from '@playwright/test';

/** A field of the form that adds or edits a customer. */
export const customerField = (page: Page, name: CustomerField) =>
  page.getByRole('main').getByLabel(customerLabels[name]);

export async function fillCustomer(
  page: Page,
  values: Partial<Record<CustomerField, string>>,
): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await customerField(page, name as CustomerField).fill(value);
  }
}

export const createButton = (page: Page) => page.getByRole('button', { name: 'Create Customer' });
export const saveButton = (page: Page) => page.getByRole('button', { name: 'Save Changes' });

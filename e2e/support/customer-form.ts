import type { Page } from '@playwright/test';

export const customerLabels = {
  name: 'Name',
  dob: 'Date of Birth',
  email: 'Email',
  phone_number: 'Phone number',
  street_line: 'Street line',
  city: 'City',
  province: 'Province',
  country: 'Country',
} as const;
export type CustomerFieldName = keyof typeof customerLabels;

/** A field of the form that adds or edits a customer. */
export const customerField = (page: Page, name: CustomerFieldName) =>
  page.getByRole('main').getByLabel(customerLabels[name]);

export async function fillCustomer(
  page: Page,
  values: Partial<Record<CustomerFieldName, string>>,
): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await customerField(page, name as CustomerFieldName).fill(value);
  }
}

export const createButton = (page: Page) => page.getByRole('button', { name: 'Create Customer' });
export const saveButton = (page: Page) => page.getByRole('button', { name: 'Save Changes' });

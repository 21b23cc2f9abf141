import type { Page } from '@playwright/test';
import { unique } from './support/api.ts';
import { recordCalls } from './support/calls.ts';
import { customerField, fillCustomer, saveButton } from './support/customer-form.ts';
import { expect, test } from './support/test.ts';

test.use({ callsMayFail: true });

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const deleteButton = (page: Page) => page.getByRole('button', { name: 'Delete customer', exact: true });
const question = (page: Page) => page.getByRole('dialog', { name: 'Delete customer' });

test('only the name is required; without a change nothing is sent', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer({ phone_number: '555 0100', city: 'Halifax', country: 'Canada' });
  const path = `/api/customers/${customer.id}`;
  const calls = recordCalls(page, 'PUT', path);
  await page.goto(`/customers/${customer.id}/edit`);
  await expect(heading(page, 'Edit Customer')).toBeVisible();
  for (const field of ['name', 'dob', 'email', 'phone_number', 'city', 'country'] as const) {
    await expect(customerField(page, field)).toHaveValue(customer[field] ?? '');
  }
  await saveButton(page).click();
  await expect(page.getByText('Nothing was changed', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(`/customers/${customer.id}`);
  await page.getByRole('link', { name: 'Edit information' }).click();
  await fillCustomer(page, { name: ' ', email: '', country: '' });
  await customerField(page, 'dob').focus();
  await page.keyboard.press('Delete');
  await saveButton(page).click();
  const halfTyped = 'Date of Birth must be a date like 2026-01-31';
  await expect(customerField(page, 'dob')).toHaveAccessibleDescription(halfTyped);
  await expect(customerField(page, 'name')).toHaveAccessibleDescription('Name is required');
  await expect(customerField(page, 'name')).toBeFocused();
  await expect(customerField(page, 'email')).toHaveAccessibleDescription('');
  expect(calls).toHaveLength(0);
  const name = unique('Renamed');
  await fillCustomer(page, { name, dob: '' });
  await saveButton(page).click();
  await expect(heading(page, name)).toBeFocused();
  await expect(page.getByText('Customer updated successfully', { exact: true })).toBeVisible();
  await expect(page.getByText('Halifax', { exact: true })).toBeVisible();
  await expect(page.getByText('Canada', { exact: true })).toHaveCount(0);
  const { id: _id, created_at: _created, ...fields } = customer;
  const saved = { ...fields, name, dob: null, email: null, country: null };
  expect(calls.map((call) => call.postDataJSON())).toEqual([saved]);
});

test('deleting asks first, and leads back', async ({ adminPage: page, api }) => {
  const { id, name } = await api.makeCustomer({ name: unique('Passing') });
  const calls = recordCalls(page, 'DELETE', `/api/customers/${id}`);
  const list = `/customers?${new URLSearchParams({ name })}`;
  await page.goto(list);
  await page.getByRole('link', { name, exact: true }).click();
  const edit = page.getByRole('link', { name: 'Edit information' });
  await edit.click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(heading(page, name)).toBeVisible();
  await edit.click();
  await deleteButton(page).click();
  const text = `Are you sure you want to delete "${name}"? This action cannot be undone.`;
  await expect(question(page)).toContainText(text);
  await expect(question(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question(page)).toHaveCount(0);
  await expect(deleteButton(page)).toBeFocused();
  expect(calls).toHaveLength(0);
  // Unsaved changes no longer matter: no question about them.
  await fillCustomer(page, { city: 'Nowhere' });
  await deleteButton(page).click();
  await question(page).getByRole('button', { name: 'Delete customer' }).click();
  await expect(page.getByText(`Deleted "${name}"`, { exact: true })).toBeVisible();
  await expect(page).toHaveURL(list);
  await expect(page.getByText('No customers found matching your search criteria.')).toBeVisible();
});

test('a customer with documents is not deleted', async ({ adminPage: page, api }) => {
  const { id } = await api.makeCustomer();
  const document = await api.makeDocument(id);
  await page.goto(`/customers/${id}/edit`);
  await expect(deleteButton(page)).toBeDisabled();
  const reason = 'This customer has 1 document and can be deleted only without them.';
  await expect(page.getByText(reason)).toBeVisible();
  await api.delete(`/api/documents/${document.id}`);
  await page.reload();
  await deleteButton(page).click();
  // A document that arrives during the question.
  await api.makeDocument(id);
  await question(page).getByRole('button', { name: 'Delete customer' }).click();
  const refused = 'This customer still has 1 document. Delete the documents first.';
  await expect(page.getByRole('alert')).toHaveText(refused);
  await expect(page).toHaveURL(`/customers/${id}/edit`);
});

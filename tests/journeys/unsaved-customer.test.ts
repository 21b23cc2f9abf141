import type { Page } from '@playwright/test';
import { unique } from './support/api.ts';
import { createButton, customerField, fillCustomer, saveButton } from './support/customer-form.ts';
import { endOnServer, signInAs } from './support/session.ts';
import { expect, failedCall, test } from './support/test.ts';

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
const menuLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name });

test('leaving with unsaved changes asks: stay keeps the input, leave discards it', async ({
  adminPage: page,
}) => {
  await page.goto('/customers');
  await page.getByRole('link', { name: 'Add Customer' }).click();
  // The search has fields with the same labels.
  await expect(createButton(page)).toBeVisible();
  await fillCustomer(page, { name: 'Half a customer' });
  await menuLink(page, 'All Customers').click();
  await expect(question(page)).toBeVisible();
  await question(page).getByRole('button', { name: 'Stay here' }).click();
  await expect(question(page)).toHaveCount(0);
  await page.goBack();
  await expect(question(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question(page)).toHaveCount(0);
  await expect(page).toHaveURL('/customers/new');
  await expect(customerField(page, 'name')).toHaveValue('Half a customer');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await question(page).getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL('/customers');
  await page.getByRole('link', { name: 'Add Customer' }).click();
  await expect(createButton(page)).toBeVisible();
  await expect(customerField(page, 'name')).toHaveValue('');
});

test('closing the window with unsaved changes asks', async ({ adminPage: page, api }) => {
  const { id } = await api.makeCustomer();
  await page.goto(`/customers/${id}/edit`);
  await customerField(page, 'city').click();
  await page.keyboard.type('Nowhere');
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await expect(customerField(page, 'city')).toHaveValue('Nowhere');
});

test('without changes, or with saved ones, nothing is asked', async ({ adminPage: page, api }) => {
  const { id, name } = await api.makeCustomer();
  await page.goto(`/customers/${id}/edit`);
  await fillCustomer(page, { name: 'Somebody else' });
  await fillCustomer(page, { name });
  await menuLink(page, 'All Customers').click();
  await expect(page.getByRole('heading', { level: 1, name: 'All Customers' })).toBeVisible();
  await page.goto(`/customers/${id}/edit`);
  await fillCustomer(page, { city: 'Halifax' });
  await saveButton(page).click();
  await expect(page.getByText('Halifax', { exact: true })).toBeVisible();
  await expect(question(page)).toHaveCount(0);
});

test('input is restored after the session ended and the user signs in again', async ({
  adminPage: page,
  admin,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const customer = await api.makeCustomer();
  const city = unique('Halifax');
  await page.goto(`/customers/${customer.id}/edit`);
  await fillCustomer(page, { city, country: 'Canada' });
  await endOnServer(page, api.url, admin.token);
  await saveButton(page).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await signInAs(page, admin);
  await expect(page).toHaveURL(`/customers/${customer.id}/edit`);
  await expect(customerField(page, 'city')).toHaveValue(city);
  await expect(customerField(page, 'name')).toHaveValue(customer.name);
  await saveButton(page).click();
  await expect(page.getByText(city, { exact: true })).toBeVisible();
});

test('the input of one user is not shown to the next', async ({
  adminPage: page,
  admin,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const other = await api.makeUser('admin');
  await page.goto('/customers/new');
  await fillCustomer(page, { name: 'Only mine', dob: '1980-05-17', email: 'mine@example.com' });
  await endOnServer(page, api.url, admin.token);
  await createButton(page).click();
  await expect(page).toHaveURL('/login');
  await signInAs(page, other);
  await menuLink(page, 'Customer Search').click();
  await page.getByRole('link', { name: 'Add Customer' }).click();
  await expect(createButton(page)).toBeVisible();
  await expect(customerField(page, 'name')).toHaveValue('');
});

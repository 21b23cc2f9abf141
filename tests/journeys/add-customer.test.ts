import { unique, uniqueEmail } from './support/api.ts';
import { holdCalls, recordCalls } from './support/calls.ts';
import { createButton, customerField, fillCustomer } from './support/customer-form.ts';
import { expect, test } from './support/test.ts';

test.use({ callsMayFail: true });

const createCall = ['POST', '/api/customers'] as const;
const required = () => ({ name: unique('Jane'), dob: '1980-05-17', email: uniqueEmail('jane') });
const inTwoDays = () => new Date(Date.now() + 2 * 24 * 3_600_000).toISOString().slice(0, 10);

test('name, date of birth and email are required; all is sent once', async ({ adminPage: page }) => {
  const values = {
    ...required(),
    phone_number: '+1 902 555 0100',
    street_line: '1 Main Street',
    city: 'Halifax',
    province: 'Nova Scotia',
    country: 'Canada',
  };
  const calls = recordCalls(page, ...createCall);
  await page.goto('/customers/new');
  await fillCustomer(page, { name: '   ' });
  await createButton(page).click();
  await expect(customerField(page, 'name')).toHaveAccessibleDescription('Name is required');
  await expect(customerField(page, 'dob')).toHaveAccessibleDescription('Date of Birth is required');
  await expect(customerField(page, 'email')).toHaveAccessibleDescription('Email is required');
  for (const optional of ['phone_number', 'street_line', 'city', 'province', 'country'] as const) {
    await expect(customerField(page, optional)).toHaveAccessibleDescription('');
  }
  await expect(customerField(page, 'name')).toBeFocused();
  await fillCustomer(page, { ...values, email: 'not an email' });
  await createButton(page).click();
  await expect(customerField(page, 'email')).toHaveAccessibleDescription('Invalid email address');
  await expect(customerField(page, 'email')).toBeFocused();
  expect(calls).toHaveLength(0);
  await fillCustomer(page, { email: values.email, dob: inTwoDays() });
  await createButton(page).click();
  const inFuture = 'Date of Birth must not be in the future';
  await expect(customerField(page, 'dob')).toHaveAccessibleDescription(inFuture);
  await expect(customerField(page, 'dob')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);

  await fillCustomer(page, { name: `  ${values.name} `, dob: values.dob });
  const { release } = await holdCalls(page, '/api/customers');
  await createButton(page).dblclick();
  await customerField(page, 'city').press('Enter');
  release();
  await expect(page.getByRole('heading', { level: 1, name: values.name })).toBeFocused();
  await expect(page).toHaveURL(/\/customers\/\d+$/);
  await expect(page.getByText('Customer created successfully', { exact: true })).toBeVisible();
  await expect(page.getByText('Halifax, Nova Scotia', { exact: true })).toBeVisible();
  expect(calls.slice(1).map((call) => call.postDataJSON())).toEqual([values]);
});

test('a possible duplicate is saved only after a question', async ({ adminPage: page, api }) => {
  const existing = await api.makeCustomer({ name: unique('Twin'), dob: '1980-05-17' });
  await page.goto('/customers/new');
  await fillCustomer(page, { ...required(), email: existing.email ?? '' });
  await createButton(page).click();
  const dialog = page.getByRole('dialog', { name: 'Possible duplicate' });
  await expect(dialog).toContainText(`A customer with this email exists: ${existing.name}`);
  const link = dialog.getByRole('link', { name: existing.name });
  await expect(link).toHaveAttribute('href', `/customers/${existing.id}`);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  const name = existing.name.toUpperCase();
  await fillCustomer(page, { name, email: uniqueEmail('twin') });
  await createButton(page).click();
  await expect(dialog).toContainText(`A customer with this name and date of birth exists: ${existing.name}`);
  await dialog.getByRole('button', { name: 'Save anyway' }).click();
  await expect(page.getByText('Customer created successfully', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
});

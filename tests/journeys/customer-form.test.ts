import { unique, uniqueEmail } from './support/api.ts';
import { answerCalls, failure, holdCalls, recordCalls } from './support/calls.ts';
import { createButton, customerField, fillCustomer } from './support/customer-form.ts';
import { expect, failedCall, test } from './support/test.ts';

const createCall = ['POST', '/api/customers'] as const;
const required = () => ({ name: unique('Jane'), dob: '1980-05-17', email: uniqueEmail('jane') });
const inTwoDays = () => new Date(Date.now() + 2 * 24 * 3_600_000).toISOString().slice(0, 10);

test('an added customer is shown with everything that was entered', async ({ adminPage: page }) => {
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
  await expect(page.getByRole('heading', { level: 1, name: 'Add Customer' })).toBeVisible();
  await fillCustomer(page, { ...values, name: `  ${values.name} ` });
  await customerField(page, 'country').press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: values.name })).toBeFocused();
  await expect(page).toHaveURL(/\/customers\/\d+$/);
  await expect(page.getByText('Customer created successfully', { exact: true })).toBeVisible();
  await expect(page.getByText('17 May 1980', { exact: true })).toBeVisible();
  await expect(page.getByText('Halifax, Nova Scotia', { exact: true })).toBeVisible();
  expect(calls.map((call) => call.postDataJSON())).toEqual([values]);
});

test('name, date of birth and email are required, the rest is not', async ({ adminPage: page }) => {
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
  const values = required();
  await fillCustomer(page, { ...values, email: 'not an email' });
  await createButton(page).click();
  await expect(customerField(page, 'email')).toHaveAccessibleDescription('Invalid email address');
  await expect(customerField(page, 'email')).toBeFocused();
  expect(calls).toHaveLength(0);
  await fillCustomer(page, { email: values.email });
  await createButton(page).click();
  await expect(page.getByRole('heading', { level: 1, name: values.name })).toBeVisible();
});

test('a field rejected by the server shows its message and gets the focus', async ({
  adminPage: page,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await page.goto('/customers/new');
  await fillCustomer(page, { ...required(), dob: inTwoDays() });
  await createButton(page).click();
  await expect(customerField(page, 'dob')).toHaveAccessibleDescription(
    'Date of Birth must not be in the future',
  );
  await expect(customerField(page, 'dob')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test("a failed creation shows the server's message, or else a fixed one, and keeps the input", async ({
  adminPage: page,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const values = required();
  await page.goto('/customers/new');
  await fillCustomer(page, values);
  const fixed = 'Failed to create customer. Please try again.';
  for (const [answer, text] of [
    [failure, fixed],
    ['no answer', fixed],
    [{ status: 503, body: { error: 'The database is away.' } }, 'The database is away.'],
  ] as const) {
    const { restore } = await answerCalls(page, ...createCall, answer);
    await createButton(page).click();
    await expect(page.getByRole('alert')).toHaveText(text);
    await restore();
  }
  await expect(customerField(page, 'email')).toHaveValue(values.email);
  await createButton(page).click();
  await expect(page.getByRole('heading', { level: 1, name: values.name })).toBeVisible();
});

test('a double click creates the customer once', async ({ adminPage: page }) => {
  const values = required();
  const calls = recordCalls(page, ...createCall);
  await page.goto('/customers/new');
  await fillCustomer(page, values);
  const { release } = await holdCalls(page, '/api/customers');
  await createButton(page).dblclick();
  await customerField(page, 'city').press('Enter');
  release();
  await expect(page.getByRole('heading', { level: 1, name: values.name })).toBeVisible();
  await page.goto(`/customers?email=${values.email}`);
  await expect(page.getByText('1 customer found', { exact: true })).toBeVisible();
  expect(calls).toHaveLength(1);
});

test('a possible duplicate is saved only after a question', async ({
  adminPage: page,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const existing = await api.makeCustomer({ name: unique('Twin'), dob: '1980-05-17' });
  const values = { ...required(), email: existing.email ?? '' };
  await page.goto('/customers/new');
  await fillCustomer(page, values);
  await createButton(page).click();
  const dialog = page.getByRole('dialog', { name: 'Possible duplicate' });
  await expect(dialog).toContainText(`A customer with this email exists: ${existing.name}`);
  await expect(dialog.getByRole('link', { name: existing.name })).toHaveAttribute(
    'href',
    `/customers/${existing.id}`,
  );
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await fillCustomer(page, { name: existing.name.toUpperCase(), email: uniqueEmail('twin') });
  await createButton(page).click();
  await expect(dialog).toContainText(`A customer with this name and date of birth exists: ${existing.name}`);
  await dialog.getByRole('button', { name: 'Save anyway' }).click();
  await expect(page.getByText('Customer created successfully', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: existing.name.toUpperCase() })).toBeVisible();
});

test('staff cannot add or edit customers', async ({ staffPage: page, api }) => {
  const { id } = await api.makeCustomer();
  await page.goto('/dashboard');
  for (const [address, text] of [
    ['/customers/new', "You don't have permission to create customers."],
    [`/customers/${id}/edit`, "You don't have permission to edit customers."],
  ] as const) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1, name: 'Access Denied' })).toBeVisible();
    await expect(page.getByText(text, { exact: true })).toBeVisible();
    await expect(page.getByRole('textbox')).toHaveCount(0);
    await page.getByRole('button', { name: 'Go Back' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  }
});

import { send, unique } from './support/api.ts';
import { answerCalls, failure, recordCalls } from './support/calls.ts';
import { customerField, fillCustomer, saveButton } from './support/customer-form.ts';
import { expect, failedCall, test } from './support/test.ts';

test('editing sends only what was changed', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer({ phone_number: '555 0100', city: 'Halifax', country: 'Canada' });
  const path = `/api/customers/${customer.id}`;
  const calls = recordCalls(page, 'PUT', path);
  await page.goto(`/customers/${customer.id}/edit`);
  await expect(page.getByRole('heading', { level: 1, name: 'Edit Customer' })).toBeVisible();
  for (const field of ['name', 'dob', 'email', 'phone_number', 'city', 'country'] as const) {
    await expect(customerField(page, field)).toHaveValue(customer[field] ?? '');
  }
  const name = unique('Renamed');
  await fillCustomer(page, { name, country: '' });
  await saveButton(page).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
  await expect(page).toHaveURL(`/customers/${customer.id}`);
  await expect(page.getByText('Customer updated successfully', { exact: true })).toBeVisible();
  await expect(page.getByText('Halifax', { exact: true })).toBeVisible();
  await expect(page.getByText('Canada', { exact: true })).toHaveCount(0);
  const { id: _id, created_at: _created, ...fields } = customer;
  expect(calls.map((call) => call.postDataJSON())).toEqual([{ ...fields, name, country: null }]);
});

test('only the name is required', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer();
  const calls = recordCalls(page, 'PUT', `/api/customers/${customer.id}`);
  await page.goto(`/customers/${customer.id}/edit`);
  await fillCustomer(page, { name: ' ', dob: '', email: '' });
  await saveButton(page).click();
  await expect(customerField(page, 'name')).toHaveAccessibleDescription('Name is required');
  await expect(customerField(page, 'name')).toBeFocused();
  await expect(customerField(page, 'dob')).toHaveAccessibleDescription('');
  await expect(customerField(page, 'email')).toHaveAccessibleDescription('');
  expect(calls).toHaveLength(0);
  await fillCustomer(page, { name: customer.name });
  await saveButton(page).click();
  await expect(page.getByRole('heading', { level: 1, name: customer.name })).toBeVisible();
  await expect(page.getByRole('definition').first()).toHaveText('–');
  expect(calls.map((call) => call.postDataJSON())).toMatchObject([{ dob: null, email: null }]);
});

test('saving without a change sends nothing', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer();
  const calls = recordCalls(page, 'PUT', `/api/customers/${customer.id}`);
  await page.goto(`/customers/${customer.id}/edit`);
  await saveButton(page).click();
  await expect(page.getByText('Nothing was changed', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(`/customers/${customer.id}`);
  expect(calls).toHaveLength(0);
});

test('a half-typed date of birth does not count as empty', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer({ dob: '1980-05-17' });
  const calls = recordCalls(page, 'PUT', `/api/customers/${customer.id}`);
  await page.goto(`/customers/${customer.id}/edit`);
  await customerField(page, 'dob').focus();
  await page.keyboard.press('Delete');
  await saveButton(page).click();
  await expect(customerField(page, 'dob')).toHaveAccessibleDescription(
    'Date of Birth must be a date like 2026-01-31',
  );
  expect(calls).toHaveLength(0);
});

test('a field rejected by the server shows its message', async ({ adminPage: page, api, expectConsole }) => {
  expectConsole(failedCall);
  const { id } = await api.makeCustomer();
  await page.goto(`/customers/${id}/edit`);
  await fillCustomer(page, { dob: '2999-12-31' });
  await saveButton(page).click();
  await expect(customerField(page, 'dob')).toHaveAccessibleDescription(
    'Date of Birth must not be in the future',
  );
  await expect(customerField(page, 'dob')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test("a failed update shows the server's message, or else a fixed one", async ({
  adminPage: page,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const { id } = await api.makeCustomer();
  await page.goto(`/customers/${id}/edit`);
  const name = unique('Renamed');
  await fillCustomer(page, { name });
  const { restore } = await answerCalls(page, 'PUT', `/api/customers/${id}`, failure);
  await saveButton(page).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to update customer. Please try again.');
  await restore();
  await api.delete(`/api/customers/${id}`);
  await saveButton(page).click();
  await expect(page.getByRole('alert')).toHaveText('Customer not found');
  await expect(customerField(page, 'name')).toHaveValue(name);
});

test('a customer who does not exist cannot be edited', async ({ adminPage: page, api, expectConsole }) => {
  expectConsole(failedCall);
  const { id } = await api.makeCustomer();
  await api.delete(`/api/customers/${id}`);
  for (const address of [`/customers/${id}/edit`, '/customers/no-number/edit']) {
    await page.goto(address);
    await expect(
      page.getByRole('heading', { level: 1, name: 'Customer Not Found', exact: true }),
    ).toBeVisible();
    await expect(
      page.getByText("The customer you're looking for doesn't exist.", { exact: true }),
    ).toBeVisible();
    await expect(page.getByRole('textbox')).toHaveCount(0);
  }
});

test('a customer who cannot be fetched can be fetched again', async ({
  adminPage: page,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const { id, name } = await api.makeCustomer();
  const { restore } = await answerCalls(page, 'GET', `/api/customers/${id}`, failure);
  await page.goto(`/customers/${id}/edit`);
  const alert = page.getByRole('alert');
  await expect(alert.getByText('Error loading customers. Please try again.', { exact: true })).toBeVisible();
  await restore();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(customerField(page, 'name')).toHaveValue(name);
});

test('deleting asks first; Escape and Cancel keep the customer', async ({ adminPage: page, api }) => {
  const { id, name } = await api.makeCustomer();
  const path = `/api/customers/${id}`;
  const calls = recordCalls(page, 'DELETE', path);
  await page.goto(`/customers/${id}/edit`);
  const ask = page.getByRole('button', { name: 'Delete customer' });
  const dialog = page.getByRole('dialog', { name: 'Delete customer' });
  await ask.click();
  await expect(dialog).toContainText(
    `Are you sure you want to delete "${name}"? This action cannot be undone.`,
  );
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(ask).toBeFocused();
  await ask.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  expect(calls).toHaveLength(0);
  // Unsaved changes no longer matter: no question about them.
  await fillCustomer(page, { city: 'Nowhere' });
  await ask.click();
  await dialog.getByRole('button', { name: 'Delete customer' }).click();
  await expect(page).toHaveURL('/customers/all');
  await expect(page.getByText(`Deleted "${name}"`, { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0);
  expect((await send(api.url, 'GET', path, api.token)).status).toBe(404);
});

test('a customer with documents is not deleted, and the screen says why before it asks', async ({
  adminPage: page,
  api,
}) => {
  const { id } = await api.makeCustomer();
  const { id: documentId } = await api.makeDocument(id);
  await page.goto(`/customers/${id}/edit`);
  const button = page.getByRole('button', { name: 'Delete customer' });
  await expect(button).toBeDisabled();
  await expect(
    page.getByText('This customer has 1 document and can be deleted only without them.'),
  ).toBeVisible();
  await api.delete(`/api/documents/${documentId}`);
  await page.reload();
  await expect(button).toBeEnabled();
});

test('a document that arrives during the question prevents the deletion', async ({
  adminPage: page,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const { id } = await api.makeCustomer();
  await page.goto(`/customers/${id}/edit`);
  await page.getByRole('button', { name: 'Delete customer' }).click();
  await api.makeDocument(id);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete customer' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'This customer still has 1 document. Delete the documents first.',
  );
  await expect(page).toHaveURL(`/customers/${id}/edit`);
});

test('Cancel and deletion lead back to the previous screen', async ({ adminPage: page, api }) => {
  const { name } = await api.makeCustomer({ name: unique('Passing') });
  const list = `/customers?${new URLSearchParams({ name })}`;
  await page.goto(list);
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('link', { name: 'Edit information' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await page.getByRole('link', { name: 'Edit information' }).click();
  await page.getByRole('button', { name: 'Delete customer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete customer' }).click();
  await expect(page).toHaveURL(list);
  await expect(page.getByText('No customers found matching your search criteria.')).toBeVisible();
});

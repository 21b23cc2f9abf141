import { answerCalls, failure, recordCalls } from './support/calls.ts';
import { expect, failedCall, test } from './support/test.ts';
import { customerField } from './support/upload-screen.ts';

test("a customer's page lists its documents with their count, the newest first", async ({
  staffPage,
  api,
}) => {
  const customer = await api.makeCustomer();
  const older = await api.makeDocument(customer.id);
  const newer = await api.makeDocument(customer.id);
  const foreign = await api.makeDocument((await api.makeCustomer()).id);
  await staffPage.goto(`/customers/${customer.id}`);
  await expect(
    staffPage.getByRole('heading', { level: 2, name: 'Documents (2)', exact: true }),
  ).toBeVisible();
  const rows = staffPage.getByRole('table', { name: 'Documents' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toHaveText('FilenameSizeUploadedActions');
  await expect(rows.nth(1)).toContainText(newer.filename);
  await expect(rows.nth(2)).toContainText(older.filename);
  await expect(staffPage.getByText(foreign.filename)).toHaveCount(0);
  await staffPage.getByRole('link', { name: older.filename }).click();
  await expect(staffPage).toHaveURL(`/documents/${older.id}`);
});

test('a customer without documents has none yet', async ({ staffPage, api }) => {
  const customer = await api.makeCustomer();
  await staffPage.goto(`/customers/${customer.id}`);
  await expect(
    staffPage.getByRole('heading', { level: 2, name: 'Documents (0)', exact: true }),
  ).toBeVisible();
  await expect(
    staffPage.getByText("This customer doesn't have any documents yet.", { exact: true }),
  ).toBeVisible();
});

test('documents that fail to load show an error next to the customer', async ({
  staffPage,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const customer = await api.makeCustomer();
  const document = await api.makeDocument(customer.id);
  const path = `/api/documents/customer/${customer.id}`;
  const calls = recordCalls(staffPage, 'GET', path);
  const { restore } = await answerCalls(staffPage, 'GET', path, failure);
  await staffPage.goto(`/customers/${customer.id}`);
  const alert = staffPage.getByRole('alert');
  await expect(alert.getByText('Error loading documents. Please try again.', { exact: true })).toBeVisible();
  expect(calls).toHaveLength(2);
  await expect(staffPage.getByRole('heading', { level: 1 })).toHaveText(customer.name);
  await restore();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(staffPage.getByRole('link', { name: document.filename })).toBeVisible();
});

test('a deleted document leaves the page and the count', async ({ adminPage, api }) => {
  const customer = await api.makeCustomer();
  const kept = await api.makeDocument(customer.id);
  const deleted = await api.makeDocument(customer.id);
  await adminPage.goto(`/customers/${customer.id}`);
  await adminPage.getByRole('button', { name: `Delete ${deleted.filename}` }).click();
  await adminPage.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(adminPage.getByRole('heading', { name: 'Documents (1)', exact: true })).toBeVisible();
  await expect(adminPage.getByRole('link', { name: kept.filename })).toBeFocused();
});

test('admins go from a customer to the upload for that customer, staff do not', async ({
  adminPage,
  staffPage,
  api,
}) => {
  const customer = await api.makeCustomer();
  await adminPage.goto(`/customers/${customer.id}`);
  await adminPage.getByRole('link', { name: 'Upload document' }).click();
  await expect(adminPage).toHaveURL(`/documents/upload?customer=${customer.id}`);
  await expect(customerField(adminPage)).toHaveValue(customer.name);
  await staffPage.goto(`/customers/${customer.id}`);
  await expect(staffPage.getByRole('heading', { name: 'Documents (0)' })).toBeVisible();
  await expect(staffPage.getByRole('link', { name: /upload/i })).toHaveCount(0);
});

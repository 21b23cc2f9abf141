import { answerCalls, failure, recordCalls } from './support/calls.ts';
import { testOnPreparedServer } from './support/prepared-server.ts';
import { repeat } from './support/repeat.ts';
import { expect, failedCall } from './support/test.ts';

const test = testOnPreparedServer(async (api) => {
  const { id } = await api.makeCustomer({ name: 'Ada Kowalska' });
  await repeat(51, (number) => api.makeDocument(id, { filename: `older ${number}.txt` }));
  await api.makeDocument(id, { filename: 'newer.txt' });
  await api.makeDocument(id, { filename: 'newest.txt', content: Buffer.alloc(3 * 1024 * 1024, 'a') });
});
const testOnEmptyServer = testOnPreparedServer(async () => {});

test('documents come in pages of 50, the newest first', async ({ staffPage }) => {
  const calls = recordCalls(staffPage, 'GET', '/api/documents');
  await staffPage.goto('/documents/all');
  await expect(staffPage.getByRole('heading', { level: 1 })).toHaveText('All Documents');
  await expect(staffPage).toHaveTitle(/^All Documents/);
  await expect(staffPage.getByText('Showing 1 to 50 of 53 documents', { exact: true })).toBeVisible();
  await expect(staffPage.getByText('Page 1 of 2', { exact: true })).toBeVisible();
  const rows = staffPage.getByRole('row');
  await expect(rows).toHaveCount(51);
  await expect(rows.nth(1)).toContainText('newest.txt');
  await expect(rows.nth(1)).toContainText('Ada Kowalska');
  await expect(rows.nth(1)).toContainText('3 MB');
  await expect(rows.nth(2)).toContainText('newer.txt');
  await expect(staffPage.getByRole('button', { name: 'Previous' })).toBeDisabled();

  await staffPage.getByRole('button', { name: 'Next' }).click();
  await expect(staffPage.getByText('Showing 51 to 53 of 53 documents', { exact: true })).toBeVisible();
  await expect(staffPage.getByText('Page 2 of 2', { exact: true })).toBeVisible();
  await expect(rows).toHaveCount(4);
  await expect(staffPage.getByRole('button', { name: 'Next' })).toBeDisabled();
  expect(calls.map((call) => new URL(call.url()).search)).toEqual(['?page=1&limit=50', '?page=2&limit=50']);

  await staffPage.getByRole('button', { name: 'Previous' }).click();
  await expect(staffPage.getByText('Page 1 of 2', { exact: true })).toBeVisible();
});

test('the page lives in the address: reload, Back and a shared link lead to it', async ({ staffPage }) => {
  await staffPage.goto('/documents/all');
  await staffPage.getByRole('button', { name: 'Next' }).click();
  await expect(staffPage.getByText('Page 2 of 2', { exact: true })).toBeVisible();
  await expect(staffPage).toHaveURL('/documents/all?page=2');
  await staffPage.reload();
  await expect(staffPage.getByText('Page 2 of 2', { exact: true })).toBeVisible();
  await staffPage.goBack();
  await expect(staffPage.getByText('Page 1 of 2', { exact: true })).toBeVisible();
});

test('a page beyond the last is empty and leads to the first', async ({ staffPage }) => {
  await staffPage.goto('/documents/all?page=7');
  await expect(staffPage.getByText('No documents found', { exact: true })).toBeVisible();
  await staffPage.getByRole('link', { name: 'Go to the first page' }).click();
  await expect(staffPage.getByText('Page 1 of 2', { exact: true })).toBeVisible();
});

test('a list that fails to load shows an error after one retry, and can be retried', async ({
  staffPage,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const calls = recordCalls(staffPage, 'GET', '/api/documents');
  const { restore } = await answerCalls(staffPage, 'GET', '/api/documents', failure);
  await staffPage.goto('/documents/all');
  const alert = staffPage.getByRole('alert');
  await expect(alert.getByText('Error loading documents. Please try again.', { exact: true })).toBeVisible();
  expect(calls).toHaveLength(2);
  await expect(staffPage.getByRole('table')).toHaveCount(0);
  await restore();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(staffPage.getByText('Page 1 of 2', { exact: true })).toBeVisible();
  await expect(alert).toHaveCount(0);
});

test('the list is not refetched when the window regains focus', async ({ staffPage }) => {
  const calls = recordCalls(staffPage, 'GET', '/api/documents');
  await staffPage.goto('/documents/all');
  await expect(staffPage.getByText('Page 1 of 2', { exact: true })).toBeVisible();
  await staffPage.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    window.dispatchEvent(new Event('focus'));
  });
  // Any request caused by the events would have been sent before this.
  await staffPage.getByRole('button', { name: 'Next' }).click();
  await expect(staffPage.getByRole('row')).toHaveCount(4);
  expect(calls).toHaveLength(2);
});

test('only admins can upload and delete', async ({ adminPage, staffPage }) => {
  await adminPage.goto('/documents/all');
  await expect(adminPage.getByRole('button', { name: 'Delete newest.txt' })).toBeVisible();
  await adminPage.getByRole('link', { name: 'Upload Document' }).click();
  await expect(adminPage).toHaveURL('/documents/upload');
  await staffPage.goto('/documents/all');
  await expect(staffPage.getByRole('button', { name: 'View newest.txt' })).toBeVisible();
  await expect(staffPage.getByRole('button', { name: 'Download newest.txt' })).toBeVisible();
  await expect(staffPage.getByRole('button', { name: /^Delete/ })).toHaveCount(0);
  await expect(staffPage.getByRole('link', { name: 'Upload Document' })).toHaveCount(0);
});

testOnEmptyServer('without documents the list says that there are none', async ({ staffPage }) => {
  await staffPage.goto('/documents/all');
  await expect(staffPage.getByText('No documents found', { exact: true })).toBeVisible();
  await expect(staffPage.getByRole('button', { name: 'Next' })).toHaveCount(0);
});

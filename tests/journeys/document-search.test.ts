import type { Page } from '@playwright/test';
import { type Api, unique, uniqueEmail } from './support/api.ts';
import { answerCalls, failure, holdCalls, recordCalls } from './support/calls.ts';
import { expect, failedCall, test } from './support/test.ts';

const nothingSearched = 'Use the search form above to find documents.';
const nothingFound = 'No documents found matching your search criteria.';
const loadingFailed = 'Error loading documents. Please try again.';

async function search(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
}

const found = (page: Page, filename: string) => page.getByRole('link', { name: filename, exact: true });

const recordSearches = (page: Page) => recordCalls(page, 'POST', '/api/documents/search');

async function makeDocument(api: Api) {
  const customer = await api.makeCustomer({ name: unique('Ørsted Näslund'), email: uniqueEmail('orsted') });
  return { customer, document: await api.makeDocument(customer.id, { filename: `${unique('Lease')}.txt` }) };
}

test('nothing is searched for before a filter is submitted', async ({ staffPage }) => {
  const searches = recordSearches(staffPage);
  await staffPage.goto('/documents');
  await expect(staffPage).toHaveTitle(/^Document Search/);
  await expect(staffPage.getByText(nothingSearched, { exact: true })).toBeVisible();
  await search(staffPage, {});
  await search(staffPage, { 'Customer name': '   ', Filename: '\t ' });
  await expect(staffPage.getByText(nothingSearched, { exact: true })).toBeVisible();
  expect(searches).toEqual([]);
});

test('documents are found by any part of a field, without regard to case and accents', async ({
  staffPage,
  api,
}) => {
  const { customer, document } = await makeDocument(api);
  const other = await api.makeDocument((await api.makeCustomer()).id);
  const markOf = (text: string | null) => text?.match(/[0-9a-f]{8}/)?.[0];
  for (const [label, term] of [
    ['Customer name', `orsted naslund ${markOf(customer.name)}`],
    ['Customer email', `ORSTED.${markOf(customer.email)}`],
    ['Filename', `lease ${markOf(document.filename)}`],
  ] as const) {
    await staffPage.goto('/documents');
    await search(staffPage, { [label]: term });
    await expect(found(staffPage, document.filename)).toBeVisible();
    await expect(staffPage.getByText('1 document found', { exact: true })).toBeVisible();
    await expect(found(staffPage, other.filename)).toHaveCount(0);
  }
});

test('documents are found by the text inside them', async ({ staffPage, api }) => {
  const { customer } = await makeDocument(api);
  const word = unique('hydrangea').replace(' ', '');
  const document = await api.makeDocument(customer.id, { content: Buffer.from(`The ${word} stays here.\n`) });
  await expect.poll(() => api.textStateOf(document.id)).toBe('ready');
  await staffPage.goto('/documents');
  await search(staffPage, { 'Customer name': customer.name, 'Contains text': `stays ${word.toUpperCase()}` });
  await expect(found(staffPage, document.filename)).toBeVisible();
  await expect(staffPage.getByText('1 document found', { exact: true })).toBeVisible();
  await search(staffPage, { 'Contains text': `"stays ${word}"` });
  await expect(staffPage.getByText(nothingFound, { exact: true })).toBeVisible();
});

test('several filters all have to match', async ({ staffPage, api }) => {
  const { customer, document } = await makeDocument(api);
  const second = await api.makeDocument(customer.id);
  await staffPage.goto('/documents');
  await search(staffPage, { 'Customer name': customer.name });
  await expect(staffPage.getByText('2 documents found', { exact: true })).toBeVisible();
  await search(staffPage, { Filename: document.filename });
  await expect(staffPage.getByText('1 document found', { exact: true })).toBeVisible();
  await expect(found(staffPage, second.filename)).toHaveCount(0);
  await search(staffPage, { Filename: 'of somebody else' });
  await expect(staffPage.getByText(nothingFound, { exact: true })).toBeVisible();
});

test('the results show name, customer, size and date, the newest first', async ({ staffPage, api }) => {
  const { customer, document } = await makeDocument(api);
  const newer = await api.makeDocument(customer.id, { content: Buffer.alloc(1536, 'a') });
  await staffPage.goto(`/documents?customer_name=${encodeURIComponent(customer.name)}`);
  await expect(staffPage.getByRole('columnheader')).toHaveText([
    'Filename',
    'Customer',
    'Size',
    'Uploaded',
    'Actions',
  ]);
  const rows = staffPage.getByRole('row');
  const today = new Date().toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'Europe/Berlin' });
  await expect(rows.nth(1).getByRole('cell')).toHaveText([
    newer.filename,
    customer.name,
    '1.5 KB',
    today,
    '',
  ]);
  await expect(rows.nth(2).getByRole('cell')).toHaveText([
    document.filename,
    customer.name,
    '12 Bytes',
    today,
    '',
  ]);
  await found(staffPage, document.filename).click();
  await expect(staffPage).toHaveURL(`/documents/${document.id}`);
  await staffPage.goBack();
  await staffPage.getByRole('link', { name: customer.name }).first().click();
  await expect(staffPage).toHaveURL(`/customers/${customer.id}`);
});

test('blank fields are dropped from the query and the others trimmed', async ({ staffPage }) => {
  const searches = recordSearches(staffPage);
  await staffPage.goto('/documents');
  await search(staffPage, { 'Customer name': '   ', Filename: '  no such file  ' });
  await expect(staffPage.getByText(nothingFound, { exact: true })).toBeVisible();
  expect(searches.map((call) => call.postDataJSON())).toEqual([{ filename: 'no such file' }]);
});

test('Reset clears the form, the filters and the results', async ({ staffPage, api }) => {
  const { document } = await makeDocument(api);
  await staffPage.goto('/documents');
  await search(staffPage, { Filename: document.filename, 'Date from': '2020-01-01' });
  await expect(found(staffPage, document.filename)).toBeVisible();
  await staffPage.getByRole('button', { name: 'Reset' }).click();
  await expect(staffPage.getByText(nothingSearched, { exact: true })).toBeVisible();
  await expect(staffPage.getByLabel('Filename')).toHaveValue('');
  await expect(staffPage.getByLabel('Date from')).toHaveValue('');
  await expect(found(staffPage, document.filename)).toHaveCount(0);
  await expect(staffPage).toHaveURL('/documents');
});

test('a search lives in the address: reload, Back, Forward and a shared link bring it back', async ({
  staffPage,
  openAs,
  admin,
  api,
}) => {
  const first = (await makeDocument(api)).document;
  const second = (await makeDocument(api)).document;
  await staffPage.goto('/documents');
  await search(staffPage, { Filename: first.filename });
  await expect(found(staffPage, first.filename)).toBeVisible();
  await search(staffPage, { Filename: second.filename });
  await expect(found(staffPage, second.filename)).toBeVisible();
  await staffPage.goBack();
  await expect(staffPage.getByLabel('Filename')).toHaveValue(first.filename);
  await expect(found(staffPage, first.filename)).toBeVisible();
  await staffPage.goForward();
  await expect(found(staffPage, second.filename)).toBeVisible();
  await staffPage.reload();
  await expect(staffPage.getByLabel('Filename')).toHaveValue(second.filename);
  await expect(found(staffPage, second.filename)).toBeVisible();
  const adminPage = await openAs(admin);
  await adminPage.goto(staffPage.url());
  await expect(found(adminPage, second.filename)).toBeVisible();
});

test('a running search says so, and its result is announced', async ({ staffPage, api }) => {
  const { document } = await makeDocument(api);
  await staffPage.goto('/documents');
  const { release } = await holdCalls(staffPage, '/api/documents/search');
  await search(staffPage, { Filename: document.filename });
  const status = staffPage.getByRole('status').filter({ hasText: 'Searching…' });
  await expect(status).toBeVisible();
  release();
  await expect(staffPage.getByRole('status').filter({ hasText: '1 document found' })).toBeVisible();
});

test('a search that fails twice shows an error, and can be retried', async ({
  staffPage,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const { document } = await makeDocument(api);
  const searches = recordSearches(staffPage);
  const { restore } = await answerCalls(staffPage, 'POST', '/api/documents/search', failure);
  await staffPage.goto('/documents');
  await search(staffPage, { Filename: document.filename });
  const alert = staffPage.getByRole('alert');
  await expect(alert.getByText(loadingFailed, { exact: true })).toBeVisible();
  expect(searches).toHaveLength(2);
  await restore();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(found(staffPage, document.filename)).toBeVisible();
  await expect(alert).toHaveCount(0);
});

test('only admins see Upload Document, which leads to the upload', async ({ adminPage, staffPage }) => {
  await adminPage.goto('/documents');
  await adminPage.getByRole('link', { name: 'Upload Document' }).click();
  await expect(adminPage).toHaveURL('/documents/upload');
  await staffPage.goto('/documents');
  await expect(staffPage.getByRole('heading', { level: 1 })).toHaveText('Document Search');
  await expect(staffPage.getByRole('link', { name: 'Upload Document' })).toHaveCount(0);
});

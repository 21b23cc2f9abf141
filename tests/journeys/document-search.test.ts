import type { Page } from '@playwright/test';
import { type Api, unique, uniqueEmail } from './support/api.ts';
import { holdCalls, recordCalls } from './support/calls.ts';
import { expect, test } from './support/test.ts';

const nothingSearched = 'Use the search form above to find documents.';
const nothingFound = 'No documents found matching your search criteria.';

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

test('a search sends the filled fields, trimmed; Reset clears all', async ({ staffPage: page, api }) => {
  const { customer, document } = await makeDocument(api);
  const word = unique('hydrangea').replace(' ', '');
  const content = Buffer.from(`The ${word} stays here.\n`.padEnd(1536));
  const newer = await api.makeDocument(customer.id, { content });
  await api.waitForText(newer.id);
  const searches = recordSearches(page);
  await page.goto('/documents');
  await expect(page.getByText(nothingSearched, { exact: true })).toBeVisible();
  await search(page, {});
  await search(page, { Filename: '\t ', 'Customer name': '   ' });
  await expect(page.getByText(nothingSearched, { exact: true })).toBeVisible();
  expect(searches).toEqual([]);

  const held = await holdCalls(page, '/api/documents/search');
  await search(page, { 'Customer name': ` ${customer.name} ` });
  await expect(page.getByRole('status').filter({ hasText: 'Searching…' })).toBeVisible();
  held.release();
  await expect(page.getByRole('status').filter({ hasText: '2 documents found' })).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText([
    'Filename',
    'Customer',
    'Size',
    'Uploaded',
    'Actions',
  ]);
  const today = new Date().toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'Europe/Berlin' });
  const rows = page.getByRole('row');
  for (const [row, filename, size] of [
    [1, newer.filename, '1.5 KB'],
    [2, document.filename, '12 Bytes'],
  ] as const) {
    await expect(rows.nth(row).getByRole('cell')).toHaveText([filename, customer.name, size, today, '']);
  }

  const email = customer.email ?? '';
  await search(page, { 'Customer email': email, 'Date from': '2020-01-01', 'Date to': '2100-01-01' });
  await search(page, { 'Contains text': word.toUpperCase() });
  await expect(page.getByText('1 document found', { exact: true })).toBeVisible();
  await expect(found(page, newer.filename)).toBeVisible();
  await search(page, { Filename: 'lease' });
  await expect(page.getByText(nothingFound, { exact: true })).toBeVisible();
  expect(searches[0]?.postDataJSON()).toEqual({ customer_name: customer.name });
  expect(searches.at(-1)?.postDataJSON()).toEqual({
    customer_name: customer.name,
    customer_email: email,
    filename: 'lease',
    text: word.toUpperCase(),
    date_from: '2020-01-01',
    date_to: '2100-01-01',
  });
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(page.getByText(nothingSearched, { exact: true })).toBeVisible();
  await expect(page.getByLabel('Filename')).toHaveValue('');
  await expect(page.getByLabel('Date from')).toHaveValue('');
  await expect(page).toHaveURL('/documents');
});

test('what is typed before a search shows its results stays in the form', async ({ staffPage: page }) => {
  await page.goto('/documents?filename=paper');
  const text = page.getByLabel('Contains text');
  await page.getByLabel('Filename').fill('lease');
  // In one task, as when the browser is too busy to render between two keys.
  await text.evaluate((input: HTMLInputElement) => {
    input.form?.requestSubmit();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'hydrangea');
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await expect(page).toHaveURL('/documents?filename=lease');
  await expect(page.getByText(nothingFound, { exact: true })).toBeVisible();
  await expect(text).toHaveValue('hydrangea');
  await page.goBack();
  await expect(page.getByLabel('Filename')).toHaveValue('paper');
  await expect(text).toHaveValue('');
});

test('dates that cannot be searched for are refused at their field', async ({ staffPage: page }) => {
  const searches = recordSearches(page);
  const [from, to] = [page.getByLabel('Date from'), page.getByLabel('Date to')];
  await page.goto('/documents');
  await search(page, { Filename: 'paper', 'Date from': '2026-03-02', 'Date to': '2026-03-01' });
  await expect(page.getByText('Date from must not be after date to', { exact: true })).toBeVisible();
  await expect(from).toBeFocused();
  await from.fill('');
  await to.fill('');
  await to.focus();
  await page.keyboard.type('12');
  await search(page, {});
  await expect(to).toHaveAccessibleDescription('Date to must be a date like 2026-01-31');
  await expect(to).toBeFocused();
  expect(searches).toHaveLength(0);
  await page.getByRole('button', { name: 'Reset' }).click();
  await search(page, { Filename: 'paper' });
  await expect(page).toHaveURL('/documents?filename=paper');
  await page.reload();
  await expect(page.getByLabel('Filename')).toHaveValue('paper');
  await page.goBack();
  await expect(page.getByLabel('Filename')).toHaveValue('');
});

import type { Document } from '@customer-database/contract/documents';
import type { Page, Request } from '@playwright/test';
import { send, unique } from './support/api.ts';
import { recordCalls } from './support/calls.ts';
import { chooseFile, makeFile } from './support/files.ts';

import { expect, test } from './support/test.ts';
import { customerField, openUpload, uploadButton } from './support/upload-screen.ts';

test.use({ callsMayFail: true });

const filename = (page: Page) => page.getByRole('textbox', { name: 'Filename' });
const description = (page: Page) => page.getByLabel('Description (optional)');
const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' }).click();

async function openEdit(page: Page, document: Document): Promise<void> {
  await page.goto(`/documents/${document.id}/edit`);
  await expect(filename(page)).toHaveValue(document.filename);
}

test('an uploaded document is renamed, described and moved to another customer', async ({
  adminPage: page,
  api,
}) => {
  const to = await api.makeCustomer();
  const calls: Request[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') calls.push(request);
  });
  await openUpload(page, await api.makeCustomer());
  await chooseFile(page, makeFile(`${unique('draft')}.txt`));
  await uploadButton(page).click();
  await page.getByRole('link', { name: 'Open document' }).click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page).toHaveTitle(/^Edit draft/);
  const renamed = `${unique('final')}.txt`;
  await filename(page).fill(renamed);
  await description(page).fill('Signed by both.\nTwo pages.');
  await customerField(page).fill(to.name);
  await page.getByRole('option', { name: to.name }).click();
  await save(page);
  await expect(page.getByText('Document updated successfully', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(renamed);
  await expect(page.getByText('Signed by both.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: to.name })).toBeVisible();
  expect(calls.map((call) => call.postDataJSON())).toEqual([
    { filename: renamed, description: 'Signed by both.\nTwo pages.', customer_id: to.id },
  ]);
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
  const recent = page.getByRole('region', { name: 'Just uploaded' });
  await expect(recent.getByRole('link', { name: renamed, exact: true })).toBeVisible();
});

test('only what was changed is sent, and nothing without a change', async ({ adminPage: page, api }) => {
  const { id } = await api.makeCustomer();
  const document = await api.makeDocument(id, { description: 'Before' });
  const calls = recordCalls(page, 'PUT', `/api/documents/${document.id}`);
  await openEdit(page, document);
  await save(page);
  await expect(page.getByText('Nothing was changed', { exact: true })).toBeVisible();
  expect(calls).toHaveLength(0);
  await openEdit(page, document);
  await description(page).fill('');
  // Another user renames it meanwhile.
  const rename = { filename: `${unique('renamed')}.txt` };
  await send(api.url, 'PUT', `/api/documents/${document.id}`, api.token, rename);
  await save(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(rename.filename);
  await expect(page.getByText('Before', { exact: true })).toHaveCount(0);
  expect(calls.map((call) => call.postDataJSON())).toEqual([{ description: '' }]);
});

test('a refused value is explained at its field', async ({ adminPage: page, api }) => {
  const { id } = await api.makeCustomer();
  await api.makeDocument(id, { filename: 'taken.txt' });
  const document = await api.makeDocument(id, { filename: 'mine.txt' });
  await openEdit(page, document);
  for (const [name, text] of [
    [' ', 'Filename is required'],
    ['mine.pdf', 'Filename must end in .txt'],
    ['Taken.txt', 'This customer already has a document with this name'],
  ]) {
    await filename(page).fill(name ?? '');
    await save(page);
    await expect(page.getByText(text ?? '', { exact: true })).toBeVisible();
    await expect(filename(page)).toBeFocused();
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
  await filename(page).fill('other.txt');
  await description(page).fill('x'.repeat(2001));
  await save(page);
  await expect(page.getByText('Description must be at most 2000 characters')).toBeVisible();
  await description(page).fill('');
  await api.delete(`/api/documents/${document.id}`);
  await save(page);
  await expect(page.getByRole('alert')).toHaveText('Document not found');
  await expect(filename(page)).toHaveValue('other.txt');
});

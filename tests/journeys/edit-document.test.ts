import type { Document } from '@customer-database/contract/documents';
import type { Page } from '@playwright/test';
import { send, unique } from './support/api.ts';
import { answerCalls, failure, recordCalls } from './support/calls.ts';
import { chooseFile, makeFile } from './support/files.ts';
import { endOnServer, signInAs } from './support/session.ts';
import { expect, failedCall, test } from './support/test.ts';
import { customerField, openUpload, uploadButton } from './support/upload-screen.ts';

const filename = (page: Page) => page.getByRole('textbox', { name: 'Filename' });
const description = (page: Page) => page.getByLabel('Description (optional)');
const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' }).click();

async function openEdit(page: Page, document: Document): Promise<void> {
  await page.goto(`/documents/${document.id}/edit`);
  await expect(filename(page)).toHaveValue(document.filename);
}

test('a document is renamed, described and moved to another customer', async ({ adminPage: page, api }) => {
  const [from, to] = [await api.makeCustomer(), await api.makeCustomer()];
  const document = await api.makeDocument(from.id, { filename: 'draft.txt', description: 'A draft' });
  const calls = recordCalls(page, 'PUT', `/api/documents/${document.id}`);
  await page.goto(`/documents/${document.id}`);
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit Document');
  await expect(page).toHaveTitle(/^Edit draft\.txt/);
  await expect(description(page)).toHaveValue('A draft');
  await expect(customerField(page)).toHaveValue(from.name);
  await filename(page).fill('final.txt');
  await description(page).fill('Signed by both.\nTwo pages.');
  await customerField(page).fill(to.name);
  await page.getByRole('option', { name: to.name }).click();
  await save(page);
  await expect(page).toHaveURL(`/documents/${document.id}`);
  await expect(page.getByText('Document updated successfully', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('final.txt');
  await expect(page.getByText('Signed by both.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: to.name })).toBeVisible();
  expect(calls.map((call) => call.postDataJSON())).toEqual([
    { filename: 'final.txt', description: 'Signed by both.\nTwo pages.', customer_id: to.id },
  ]);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('final.txt');
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
  // Somebody else renames it meanwhile.
  const rename = { filename: `${unique('renamed')}.txt` };
  await send(api.url, 'PUT', `/api/documents/${document.id}`, api.token, rename);
  await save(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(rename.filename);
  await expect(page.getByText('Before', { exact: true })).toHaveCount(0);
  expect(calls.map((call) => call.postDataJSON())).toEqual([{ description: '' }]);
});

test('what is wrong is said at its field, by the screen or by the server', async ({
  adminPage: page,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const { id } = await api.makeCustomer();
  await api.makeDocument(id, { filename: 'taken.txt' });
  await openEdit(page, await api.makeDocument(id, { filename: 'mine.txt' }));
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
  await save(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('other.txt');
});

test('a change that fails shows a message and keeps the input', async ({
  adminPage: page,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const { id } = await api.makeCustomer();
  const document = await api.makeDocument(id);
  await openEdit(page, document);
  await filename(page).fill('kept.txt');
  const { restore } = await answerCalls(page, 'PUT', `/api/documents/${document.id}`, failure);
  await save(page);
  await expect(page.getByRole('alert')).toHaveText('Failed to update document. Please try again.');
  await restore();
  await api.delete(`/api/documents/${document.id}`);
  await save(page);
  await expect(page.getByRole('alert')).toHaveText('Document not found');
  await expect(filename(page)).toHaveValue('kept.txt');
});

test('what was just uploaded is listed under its new name', async ({ adminPage: page, api }) => {
  await openUpload(page, await api.makeCustomer());
  await chooseFile(page, makeFile(`${unique('old')}.txt`));
  await uploadButton(page).click();
  await page.getByRole('link', { name: 'Open document' }).click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  const renamed = `${unique('new')}.txt`;
  await filename(page).fill(renamed);
  await save(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(renamed);
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
  const recent = page.getByRole('region', { name: 'Just uploaded' });
  await expect(recent.getByRole('link', { name: renamed, exact: true })).toBeVisible();
});

test('unsaved changes are asked about, and restored after the session ended', async ({
  adminPage: page,
  admin,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const { id, name } = await api.makeCustomer();
  const document = await api.makeDocument(id);
  await openEdit(page, document);
  // The same customer, chosen again, is not a change.
  await customerField(page).fill(name);
  await page.getByRole('option', { name }).click();
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await menu.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  await openEdit(page, document);
  await filename(page).fill('unsaved.txt');
  await menu.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click();
  await endOnServer(page, api.url, admin.token);
  await save(page);
  await signInAs(page, admin);
  await expect(page).toHaveURL(`/documents/${document.id}/edit`);
  await expect(filename(page)).toHaveValue('unsaved.txt');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Edit Document');
});

test('a document that does not exist cannot be edited', async ({ adminPage: page, expectConsole }) => {
  expectConsole(failedCall);
  for (const id of ['999999999', 'no-number']) {
    await page.goto(`/documents/${id}/edit`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Document not found');
    await page.getByRole('link', { name: 'Back to Documents' }).click();
    await expect(page).toHaveURL('/documents/all');
  }
});

test('staff are denied the change, on the screen and by the server', async ({ staffPage, staff, api }) => {
  const { id } = await api.makeCustomer();
  const document = await api.makeDocument(id);
  await staffPage.goto(`/documents/${document.id}`);
  await expect(staffPage.getByRole('heading', { level: 1 })).toHaveText(document.filename);
  await expect(staffPage.getByRole('link', { name: 'Edit' })).toHaveCount(0);
  await staffPage.goto(`/documents/${document.id}/edit`);
  await expect(staffPage.getByRole('heading', { level: 1 })).toHaveText('Access Denied');
  await expect(
    staffPage.getByText("You don't have permission to edit documents.", { exact: true }),
  ).toBeVisible();
  const rename = { filename: 'b.txt' };
  const answer = await send(api.url, 'PUT', `/api/documents/${document.id}`, staff.token, rename);
  expect(answer.status).toBe(403);
});

import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Document } from '@customer-database/contract/documents';
import type { Page } from '@playwright/test';
import { type Api, send, unique } from './support/api.ts';
import { answerCalls, failure, recordCalls } from './support/calls.ts';
import { expectScreen } from './support/screens.ts';
import type { Server } from './support/server.ts';
import { signInAs } from './support/session.ts';
import { expect, test } from './support/test.ts';
import { openDocument } from './support/viewer.ts';

test.use({ callsMayFail: true });

/** Of the screen that shows a document. */
const action = (page: Page, name: 'View in Browser' | 'Download' | 'Delete') =>
  page.getByRole('button', { name, exact: true });

const downloadFailed = 'Failed to download document. Please try again.';
const openingFailed = 'Failed to open document. Please try again.';
const deletingFailed = 'Failed to delete document. Please try again.';
const fetchFailed = (status: number) => `Failed to download (status ${status}). Check console for details.`;
/** The details in the console that the alert mentions. */
const inConsole = /^The download of ".*" failed \(status \d+\)/;

const alert = (page: Page, text: string) =>
  page.getByRole('alert').filter({ has: page.getByText(text, { exact: true }) });

const makeDocument = async (api: Api, fields: Parameters<Api['makeDocument']>[1] = {}) =>
  api.makeDocument((await api.makeCustomer()).id, fields);

const confirmDeletion = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();

async function download(page: Page, start: () => Promise<void>) {
  const started = page.waitForEvent('download');
  await start();
  const saved = await started;
  return { name: saved.suggestedFilename(), content: await readFile(await saved.path()) };
}

async function storedFiles({ dataDir }: Server): Promise<string[]> {
  const folder = join(dataDir, 'objects', 'documents');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** A document whose stored object was deleted behind the server's back. The row stays. */
async function makeLostDocument(server: Server, api: Api): Promise<Document> {
  const before = new Set(await storedFiles(server));
  const document = await makeDocument(api);
  for (const file of await storedFiles(server)) if (!before.has(file)) await rm(file);
  return document;
}

test('a document is viewed, downloaded and deleted, without the token in a URL', async ({
  adminPage: page,
  admin,
  api,
}) => {
  const text = unique('What the document says');
  const document = await makeDocument(api, { content: Buffer.from(text) });
  await api.waitForText(document.id);
  const addresses: string[] = [];
  page.context().on('request', (request) => addresses.push(request.url()));
  await openDocument(page, document);
  const opened = page.waitForEvent('popup');
  await action(page, 'View in Browser').click();
  const tab = await opened;
  await expect(tab.getByText(text)).toBeVisible();
  expect(new URL(tab.url()).pathname).toBe(`/api/documents/${document.id}/content`);
  expect(await tab.evaluate(() => window.opener)).toBeNull();
  await tab.close();
  const saved = await download(page, () => action(page, 'Download').click());
  expect(saved).toEqual({ name: document.filename, content: Buffer.from(text) });
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(addresses.filter((address) => address.includes('/content?')).length).toBeGreaterThan(1);
  expect(addresses.filter((address) => address.includes(admin.token))).toEqual([]);

  const dialog = page.getByRole('dialog');
  const question = `Are you sure you want to delete "${document.filename}"? This action cannot be undone.`;
  await action(page, 'Delete').click();
  await expect(dialog.getByText(question, { exact: true })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await action(page, 'Delete').click();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await action(page, 'Delete').click();
  await confirmDeletion(page);
  await expect(page.getByText(`Deleted "${document.filename}"`)).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL('/documents/all');
  await expect(page.getByRole('link', { name: document.filename })).toHaveCount(0);
  expect((await send(api.url, 'GET', `/api/documents/${document.id}`, api.token)).status).toBe(404);
});

test('a deletion leads back, past the screens of the deleted document', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer();
  await api.makeDocument(customer.id);
  const deleted = await api.makeDocument(customer.id);
  const search = `/documents?customer_name=${encodeURIComponent(customer.name)}`;
  await page.goto(search);
  await page.getByRole('link', { name: deleted.filename, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(deleted.filename);
  // Another entry of the same screen.
  await page.evaluate((path) => {
    history.pushState({ ...history.state, idx: history.state.idx + 1 }, '', path);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, `/documents/${deleted.id}?again`);
  await action(page, 'Delete').click();
  await confirmDeletion(page);
  await expect(page).toHaveURL(search);
  await expect(page.getByText('1 document found', { exact: true })).toBeVisible();
});

test('a download is named by its header, or else by the response', async ({ staffPage: page, api }) => {
  const filename = `Vertrag – Öl & Gas, 100% (“final”); filename=x.txt ☕ 日本語 عقد %20.txt`;
  const document = await makeDocument(api, { filename });
  await openDocument(page, document);
  const calls = recordCalls(page, 'GET', `/api/documents/${document.id}/download`);
  const button = action(page, 'Download');
  expect((await download(page, () => button.dblclick())).name).toBe(filename);
  expect(calls).toHaveLength(1);
  for (const [headers, name] of [
    [{ 'content-disposition': 'attachment; filename="from the header.txt"' }, 'from the header.txt'],
    [{}, filename],
  ] as const) {
    await page.route('**/content?*', (route) => route.fulfill({ body: 'Some words.', headers }));
    const saved = await download(page, () => button.click());
    expect(saved).toEqual({ name, content: Buffer.from('Some words.') });
  }
});

test('a file that cannot be fetched opens in a tab; a blocked tab is reported until closed', async ({
  staffPage: page,
  staff,
  server,
  api,
  expectConsole,
}) => {
  expectConsole(inConsole);
  const document = await makeLostDocument(server, api);
  await page.clock.install();
  await openDocument(page, document);
  const opened = page.waitForEvent('popup');
  const logged = page.waitForEvent('console', (message) => inConsole.test(message.text()));
  await action(page, 'Download').click();
  await expect(alert(page, fetchFailed(503))).toBeVisible();
  const tab = await opened;
  await expect(tab).toHaveURL(new RegExp(`/api/documents/${document.id}/content\\?purpose=download`));
  await tab.close();
  expect((await logged).text()).toContain(document.filename);
  await expect(alert(page, downloadFailed)).toHaveCount(0);

  await page.evaluate(() => {
    window.open = () => null;
  });
  await page.route('**/content?*', (route) => route.abort());
  await action(page, 'Download').click();
  await expect(alert(page, fetchFailed(0))).toBeVisible();
  await expect(alert(page, downloadFailed)).toBeVisible();
  await action(page, 'View in Browser').click();
  await expect(alert(page, openingFailed)).toBeVisible();
  await action(page, 'View in Browser').click();
  await page.clock.fastForward('10:00');
  await expect(alert(page, openingFailed)).toBeVisible();
  await alert(page, openingFailed).getByRole('button', { name: 'Close' }).click();
  await expect(alert(page, openingFailed)).toHaveCount(0);
  await expect(alert(page, downloadFailed)).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signInAs(page, staff);
  await expectScreen(page, 'Dashboard');
  await expect(alert(page, downloadFailed)).toHaveCount(0);
});

test('a failure to get a link or to delete is shown, and opens no tab', async ({ adminPage: page, api }) => {
  const document = await makeDocument(api);
  const path = `/api/documents/${document.id}`;
  const { restore } = await answerCalls(page, 'DELETE', path, failure);
  await openDocument(page, document);
  await action(page, 'Delete').click();
  await confirmDeletion(page);
  await expect(alert(page, deletingFailed)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(document.filename);
  await restore();
  await api.delete(path);
  await action(page, 'View in Browser').click();
  await expect(alert(page, openingFailed)).toBeVisible();
  await action(page, 'Download').click();
  await expect(alert(page, downloadFailed)).toBeVisible();
  expect(page.context().pages()).toHaveLength(1);

  const listed = await makeDocument(api);
  await page.goto('/documents/all');
  const deleteListed = page.getByRole('button', { name: `Delete ${listed.filename}`, exact: true });
  await deleteListed.click();
  await api.delete(`/api/documents/${listed.id}`);
  await confirmDeletion(page);
  await expect(alert(page, deletingFailed)).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(deleteListed).toHaveCount(0);
});

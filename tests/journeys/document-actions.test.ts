import { readFile } from 'node:fs/promises';
import type { Document } from '@customer-database/contract/documents';
import type { Page } from '@playwright/test';
import { type Api, makePdf, send, unique } from './support/api.ts';
import { recordCalls } from './support/calls.ts';
import { detailsPlace, documentPlaces } from './support/document-places.ts';
import { kept, signInAs } from './support/session.ts';
import { expect, test } from './support/test.ts';

const makeDocument = async (api: Api, fields: Parameters<Api['makeDocument']>[1] = {}) =>
  api.makeDocument((await api.makeCustomer()).id, fields);

async function view(page: Page, click: () => Promise<void>): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await click();
  return opened;
}

async function download(page: Page, click: () => Promise<void>) {
  const started = page.waitForEvent('download');
  await click();
  const saved = await started;
  return { name: saved.suggestedFilename(), content: await readFile(await saved.path()) };
}

const question = ({ filename }: Document) =>
  `Are you sure you want to delete "${filename}"? This action cannot be undone.`;

for (const place of documentPlaces) {
  test(`from ${place.name} staff view a document in a new tab and download it`, async ({
    staffPage,
    api,
  }) => {
    const text = unique('What the document says');
    const document = await makeDocument(api, { content: Buffer.from(text) });
    await staffPage.goto(place.path(document));
    const tab = await view(staffPage, () => place.button(staffPage, 'View', document).click());
    await expect(tab.getByText(text)).toBeVisible();
    expect(new URL(tab.url()).pathname).toBe(`/api/documents/${document.id}/content`);
    expect(await tab.evaluate(() => window.opener)).toBeNull();
    await tab.close();
    const saved = await download(staffPage, () => place.button(staffPage, 'Download', document).click());
    expect(saved).toEqual({ name: document.filename, content: Buffer.from(text) });
    await expect(staffPage.getByRole('alert')).toHaveCount(0);
  });

  test(`from ${place.name} admins delete a document once they have confirmed it`, async ({
    adminPage,
    admin,
    api,
  }) => {
    const document = await makeDocument(api);
    const { status } = await send(api.url, 'GET', `/api/documents/${document.id}`, admin.token);
    expect(status).toBe(200);
    await adminPage.goto(place.path(document));
    const button = place.button(adminPage, 'Delete', document);
    const dialog = adminPage.getByRole('dialog');

    await button.click();
    await expect(dialog.getByText(question(document), { exact: true })).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
    await button.click();
    await adminPage.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    expect((await send(api.url, 'GET', `/api/documents/${document.id}`, admin.token)).status).toBe(200);

    await button.click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(adminPage.getByText(`Deleted "${document.filename}"`)).toBeVisible();
    await expect(dialog).toHaveCount(0);
    await expect(button).toHaveCount(0);
    await expect(adminPage.getByRole('link', { name: document.filename })).toHaveCount(0);
    expect((await send(api.url, 'GET', `/api/documents/${document.id}`, admin.token)).status).toBe(404);
    if (place === detailsPlace) await expect(adminPage).toHaveURL('/documents/all');
  });
}

test('a deletion leads back, past the screens of the deleted document', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer();
  const kept = await api.makeDocument(customer.id);
  const deleted = await api.makeDocument(customer.id);
  const search = `/documents?customer_name=${encodeURIComponent(customer.name)}`;
  const openDeleted = async () => {
    await page.getByRole('link', { name: deleted.filename, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(deleted.filename);
  };
  await page.goto(search);
  await openDeleted();
  // Another entry of the same screen.
  await page.evaluate((path) => {
    history.pushState({ ...history.state, idx: history.state.idx + 1 }, '', path);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, `/documents/${deleted.id}?again`);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL(search);
  await expect(page.getByText('1 document found', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: kept.filename, exact: true })).toBeVisible();
  await expect(page.getByLabel('Customer name')).toHaveValue(customer.name);
});

test('staff are offered no Delete anywhere, and the server refuses it by hand', async ({
  staffPage,
  staff,
  api,
}) => {
  const document = await makeDocument(api);
  for (const place of documentPlaces) {
    await staffPage.goto(place.path(document));
    await expect(place.button(staffPage, 'Download', document)).toBeVisible();
    await expect(staffPage.getByRole('button', { name: /delete/i })).toHaveCount(0);
  }
  const answer = await send(api.url, 'DELETE', `/api/documents/${document.id}`, staff.token);
  expect(answer.status).toBe(403);
  expect((await send(api.url, 'GET', `/api/documents/${document.id}`, staff.token)).status).toBe(200);
});

test('a download keeps its name, whatever is in it', async ({ staffPage, api }) => {
  for (const filename of [
    `Vertrag – Öl & Gas, 100% (“final”) ☕.txt`,
    '日本語の契約書; filename=x.txt',
    "l'été #1 + naïve %20 copy.txt",
    'عقد الإيجار.txt',
  ]) {
    const document = await makeDocument(api, { filename });
    expect(document.filename).toBe(filename);
    await staffPage.goto(detailsPlace.path(document));
    const saved = await download(staffPage, () =>
      detailsPlace.button(staffPage, 'Download', document).click(),
    );
    expect(saved.name).toBe(filename);
  }
});

test('the header names a download, or else the filename in the response', async ({ staffPage, api }) => {
  const document = await makeDocument(api);
  const named = { 'content-disposition': 'attachment; filename="from the header.txt"' };
  for (const { headers, name } of [
    { headers: named, name: 'from the header.txt' },
    { headers: {}, name: document.filename },
  ]) {
    await staffPage.route('**/content?*', (route) => route.fulfill({ body: 'Some words.', headers }));
    await staffPage.goto(detailsPlace.path(document));
    const saved = await download(staffPage, () =>
      detailsPlace.button(staffPage, 'Download', document).click(),
    );
    expect(saved).toEqual({ name, content: Buffer.from('Some words.') });
  }
});

test('a double click downloads once', async ({ staffPage, api }) => {
  const document = await makeDocument(api);
  await staffPage.goto(detailsPlace.path(document));
  const calls = recordCalls(staffPage, 'GET', `/api/documents/${document.id}/download`);
  await download(staffPage, () => detailsPlace.button(staffPage, 'Download', document).dblclick());
  expect(calls).toHaveLength(1);
});

test('links to download and to view expire after 15 minutes', async ({ staff, api }) => {
  const document = await makeDocument(api);
  for (const purpose of ['download', 'view']) {
    const asked = Date.now();
    const { body } = await send(api.url, 'GET', `/api/documents/${document.id}/${purpose}`, staff.token);
    const lifetime = Date.parse(body.expires_at) - asked;
    // The server counts in whole seconds.
    expect(lifetime).toBeGreaterThanOrEqual(15 * 60_000 - 1_000);
    expect(lifetime).toBeLessThanOrEqual(15 * 60_000 + 10_000);
    expect(new URL(body[`${purpose}_url`]).searchParams.get('expires')).toBe(
      String(Date.parse(body.expires_at) / 1000),
    );
  }
});

test('the session token never appears in a URL', async ({ page, staff, api }) => {
  const content = makePdf('Nothing secret');
  const document = await makeDocument(api, { filename: `${unique('paper')}.pdf`, content });
  const addresses: string[] = [];
  page.context().on('request', (request) => addresses.push(request.url()));
  await page.goto('/login');
  await signInAs(page, staff);
  await expect(page).toHaveURL('/dashboard');
  await page.goto('/documents/all');
  await page.goto(detailsPlace.path(document));
  const tab = await view(page, () => detailsPlace.button(page, 'View', document).click());
  await expect(tab).toHaveTitle(document.filename);
  await download(page, () => detailsPlace.button(page, 'Download', document).click());
  const { local } = await kept(page);
  const token = local.authToken ?? '';
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(addresses.filter((address) => address.includes('/content?')).length).toBeGreaterThan(1);
  addresses.push(
    ...page
      .context()
      .pages()
      .map((shown) => shown.url()),
  );
  expect(addresses.filter((address) => address.includes(token))).toEqual([]);
});

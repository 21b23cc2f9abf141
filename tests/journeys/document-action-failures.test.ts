import type { Document } from '@customer-database/contract/documents';
import type { Page } from '@playwright/test';
import type { Api } from './support/api.ts';
import { answerCalls, failure } from './support/calls.ts';
import { detailsPlace, documentPlaces, listPlace } from './support/document-places.ts';
import { expectScreen } from './support/screens.ts';
import { endOnServer, expectSignedOut, signInAs } from './support/session.ts';
import { uploadAndLoseContent } from './support/stored-objects.ts';
import { expect, failedCall, test } from './support/test.ts';
import { shownText } from './support/viewer.ts';

const downloadFailed = 'Failed to download document. Please try again.';
const openingFailed = 'Failed to open document. Please try again.';
const deletingFailed = 'Failed to delete document. Please try again.';
const fetchFailed = (status: number) => `Failed to download (status ${status}). Check console for details.`;
/** The details in the console that the alert mentions. */
const details = /^The download of ".*" failed \(status \d+\)/;

const makeDocument = async (api: Api) => api.makeDocument((await api.makeCustomer()).id);

const alert = (page: Page, text: string) =>
  page.getByRole('alert').filter({ has: page.getByText(text, { exact: true }) });

/** Blocks pages from opening tabs. */
const blockTabs = (page: Page) =>
  page.addInitScript(() => {
    window.open = () => null;
  });

async function openDetails(page: Page, document: Document): Promise<void> {
  await page.goto(detailsPlace.path(document));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(document.filename);
}

const click = (page: Page, action: 'View' | 'Download' | 'Delete', document: Document) =>
  detailsPlace.button(page, action, document).click();

test.beforeEach(({ expectConsole }) => expectConsole(failedCall));

for (const place of documentPlaces) {
  test(`a file that cannot be fetched from ${place.name} shows an error, and opens in a new tab instead`, async ({
    staffPage,
    server,
    api,
    expectConsole,
  }) => {
    expectConsole(details);
    const document = await uploadAndLoseContent(server, () => makeDocument(api));
    await staffPage.goto(place.path(document));
    const opened = staffPage.waitForEvent('popup');
    const logged = staffPage.waitForEvent('console', (message) => details.test(message.text()));
    await place.button(staffPage, 'Download', document).click();
    await expect(alert(staffPage, fetchFailed(503))).toBeVisible();
    const tab = await opened;
    await expect(tab).toHaveURL(new RegExp(`/api/documents/${document.id}/content\\?purpose=download`));
    expect((await logged).text()).toContain(document.filename);
    await expect(alert(staffPage, downloadFailed)).toHaveCount(0);
  });
}

test('a fetch without any answer has the status 0', async ({ staffPage, api, expectConsole }) => {
  expectConsole(details);
  const document = await makeDocument(api);
  await staffPage.route('**/content?*', (route) => route.abort());
  await openDetails(staffPage, document);
  const opened = staffPage.waitForEvent('popup');
  await click(staffPage, 'Download', document);
  await expect(alert(staffPage, fetchFailed(0))).toBeVisible();
  await opened;
});

test('when the new tab fails too, the download has failed', async ({
  staffPage,
  server,
  api,
  expectConsole,
}) => {
  expectConsole(details);
  const document = await uploadAndLoseContent(server, () => makeDocument(api));
  await blockTabs(staffPage);
  await openDetails(staffPage, document);
  await click(staffPage, 'Download', document);
  await expect(alert(staffPage, fetchFailed(503))).toBeVisible();
  await expect(alert(staffPage, downloadFailed)).toBeVisible();
});

test('a download whose link is refused has failed', async ({ staffPage, api }) => {
  const document = await makeDocument(api);
  await openDetails(staffPage, document);
  await api.delete(`/api/documents/${document.id}`);
  await click(staffPage, 'Download', document);
  await expect(alert(staffPage, downloadFailed)).toBeVisible();
  expect(staffPage.context().pages()).toHaveLength(1);
});

test('a document whose link is refused cannot be opened, and leaves no tab behind', async ({
  staffPage,
  api,
}) => {
  const document = await makeDocument(api);
  await openDetails(staffPage, document);
  await api.delete(`/api/documents/${document.id}`);
  await click(staffPage, 'View', document);
  await expect(alert(staffPage, openingFailed)).toBeVisible();
  expect(staffPage.context().pages()).toHaveLength(1);
});

test('a document for which the browser opens no tab cannot be opened', async ({ staffPage, api }) => {
  const document = await makeDocument(api);
  await blockTabs(staffPage);
  await openDetails(staffPage, document);
  await click(staffPage, 'View', document);
  await expect(alert(staffPage, openingFailed)).toBeVisible();
});

test('an alert stays until closed, appears once, and is not shown to the next user', async ({
  staffPage,
  staff,
  api,
}) => {
  const document = await makeDocument(api);
  await staffPage.clock.install();
  await blockTabs(staffPage);
  await openDetails(staffPage, document);
  await click(staffPage, 'View', document);
  await expect(alert(staffPage, openingFailed)).toBeVisible();
  await click(staffPage, 'View', document);
  await staffPage.clock.fastForward('10:00');
  await expect(alert(staffPage, openingFailed)).toBeVisible();
  await alert(staffPage, openingFailed).getByRole('button', { name: 'Close' }).click();
  await expect(alert(staffPage, openingFailed)).toHaveCount(0);

  await click(staffPage, 'View', document);
  await expect(alert(staffPage, openingFailed)).toBeVisible();
  await staffPage.getByRole('button', { name: 'Sign out' }).click();
  await signInAs(staffPage, staff);
  await expectScreen(staffPage, 'Dashboard');
  await expect(alert(staffPage, openingFailed)).toHaveCount(0);
});

test('a document that somebody else deleted cannot be deleted, and leaves the list', async ({
  adminPage,
  api,
}) => {
  const document = await makeDocument(api);
  await adminPage.goto(listPlace.path(document));
  await listPlace.button(adminPage, 'Delete', document).click();
  await api.delete(`/api/documents/${document.id}`);
  await adminPage.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(alert(adminPage, deletingFailed)).toBeVisible();
  await expect(adminPage.getByRole('dialog')).toHaveCount(0);
  await expect(listPlace.button(adminPage, 'Delete', document)).toHaveCount(0);
});

test('a document that the server fails to delete stays, and can be deleted later', async ({
  adminPage,
  api,
}) => {
  const document = await makeDocument(api);
  const path = `/api/documents/${document.id}`;
  const { restore } = await answerCalls(adminPage, 'DELETE', path, failure);
  await openDetails(adminPage, document);
  await click(adminPage, 'Delete', document);
  await adminPage.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(alert(adminPage, deletingFailed)).toBeVisible();
  await expect(adminPage.getByRole('heading', { level: 1 })).toHaveText(document.filename);
  await restore();
  await click(adminPage, 'Delete', document);
  await adminPage.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(adminPage).toHaveURL('/documents/all');
});

for (const action of ['View', 'Download', 'Delete'] as const) {
  test(`${action} in a session that has ended leads to /login without a message`, async ({
    adminPage,
    admin,
    api,
  }) => {
    const document = await makeDocument(api);
    await openDetails(adminPage, document);
    // It asks for the text until it is there, and would notice first.
    await expect(shownText(adminPage)).toBeVisible();
    await endOnServer(adminPage, api.url, admin.token);
    await click(adminPage, action, document);
    if (action === 'Delete') {
      await adminPage.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    }
    await expectSignedOut(adminPage);
  });
}

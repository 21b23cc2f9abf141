import type { Customer } from '@customer-database/contract/customers';
import type { Page } from '@playwright/test';
import { unique } from './support/api.ts';
import { answerCalls, failure, holdCalls, recordCalls } from './support/calls.ts';
import { chooseFile, makeFile, type PickedFile } from './support/files.ts';
import { startLosingProxy } from './support/losing-proxy.ts';
import { endOnServer, signInAs } from './support/session.ts';
import { expect, test } from './support/test.ts';
import {
  contentsOf,
  contentsOfFiles,
  documentsOf,
  dragFiles,
  expectQueue,
  makeTexts,
  queue,
  queueRow,
} from './support/upload-queue.ts';
import { customerField, openUpload, uploadButton } from './support/upload-screen.ts';

test.use({ callsMayFail: true });

const filesDialog = (page: Page) => page.getByRole('dialog', { name: 'Upload files' });
const menuLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name });

async function answerForWhom(page: Page, { name }: Customer): Promise<void> {
  const field = filesDialog(page).getByRole('combobox', { name: 'Customer' });
  await expect(field).toBeFocused();
  await field.fill(name);
  await page.getByRole('option', { name }).click();
  await filesDialog(page).getByRole('button', { name: 'Upload', exact: true }).click();
}

/** Opens a customer's page, where files can be dropped. */
async function openCustomer(page: Page, { id, name }: Customer): Promise<void> {
  await page.goto(`/customers/${id}`);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upload files' })).toBeVisible();
}

const places: { path: (customer: Customer) => string; knows: boolean }[] = [
  { path: ({ id }) => `/documents/upload?customer=${id}`, knows: true },
  { path: () => '/documents/upload', knows: false },
  { path: ({ id }) => `/customers/${id}`, knows: true },
  { path: () => '/documents/all', knows: false },
  { path: () => '/documents', knows: false },
];

test('files dropped on any screen of documents are uploaded', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer();
  const all: PickedFile[] = [];
  for (const { path, knows } of places) {
    const files = makeTexts(unique('dropped'), 2);
    await page.goto(path(customer));
    const isUploadScreen = path(customer).includes('/upload');
    if (isUploadScreen) await expect(customerField(page)).toHaveValue(knows ? customer.name : '');
    else await expect(page.getByRole('button', { name: 'Upload files' })).toBeVisible();
    await dragFiles(page, 'dragover', files);
    const where = knows ? `Drop files to upload for ${customer.name}` : 'Drop files to upload';
    await expect(page.getByText(where, { exact: true })).toBeVisible();
    await dragFiles(page, 'drop', files);
    await expect(page.getByText(where, { exact: true })).toHaveCount(0);
    if (!knows) await answerForWhom(page, customer);
    await expectQueue(page, '2 of 2 uploaded');
    all.push(...files);
  }
  expect(await contentsOf(api, customer.id)).toEqual(contentsOfFiles(all));
});

test('files are chosen by keyboard, and listed once they are uploaded', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer();
  const files = makeTexts(unique('chosen'), 3);
  await openCustomer(page, customer);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload files' }).press('Enter');
  expect((await chooser).isMultiple()).toBe(true);
  await (await chooser).setFiles(files);
  await expectQueue(page, '3 of 3 uploaded');
  await expect(page.getByRole('region', { name: 'Documents (3)' })).toBeVisible();
  await expect(queue(page).getByRole('status')).toHaveText('3 of 3 uploaded');
  await queue(page).getByRole('button', { name: '3 of 3 uploaded' }).press('Enter');
  await expect(queue(page).getByRole('listitem')).toHaveCount(0);
  await queue(page).getByRole('button', { name: 'Close uploads' }).press('Enter');
  await expect(queue(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('what is no document is never sent; a taken name is numbered', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer();
  await api.makeDocument(customer.id, { filename: 'plan.txt' });
  const calls = recordCalls(page, 'POST', '/api/documents');
  await openCustomer(page, customer);
  const program = { name: 'tool.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') };
  const large = { ...makeFile('large.txt'), buffer: Buffer.alloc(10 * 1024 * 1024 + 1, 'a') };
  await dragFiles(page, 'drop', [makeFile('plan.txt'), program, large]);
  await expectQueue(page, '1 of 3 uploaded, 2 failed');
  await expect(queueRow(page, 'tool.exe')).toContainText(
    'Please select a valid document file (.pdf, .docx, .doc, or .txt)',
  );
  await expect(queueRow(page, 'large.txt')).toContainText('File size must be less than 10MB');
  await expect(queue(page).getByRole('button', { name: /Try again/ })).toHaveCount(0);
  expect(calls).toHaveLength(1);
  await queue(page).getByRole('button', { name: 'Remove tool.exe' }).click();
  await expectQueue(page, '1 of 2 uploaded, 1 failed');
  await queue(page).getByRole('link', { name: 'Saved as plan (1).txt' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'plan (1).txt' })).toBeVisible();
});

test('what failed says why and can be tried again', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer();
  const files = makeTexts(unique('again'), 3);
  const [first] = files;
  await openCustomer(page, customer);
  const { restore } = await answerCalls(page, 'POST', '/api/documents', failure);
  await dragFiles(page, 'drop', files);
  await expectQueue(page, '0 of 3 uploaded, 3 failed');
  await expect(queueRow(page, first?.name ?? '')).toContainText(
    'Failed to upload document. Please try again.',
  );
  await restore();
  await queue(page)
    .getByRole('button', { name: `Try again ${first?.name}` })
    .click();
  await expectQueue(page, '1 of 3 uploaded, 2 failed');
  await queue(page).getByRole('button', { name: 'Try all failed again' }).click();
  await expectQueue(page, '3 of 3 uploaded');
  await dragFiles(page, 'drop', [{ ...makeFile('really.txt'), name: 'no.pdf', mimeType: 'application/pdf' }]);
  await expect(queueRow(page, 'no.pdf')).toContainText('This file is named .pdf but is not a PDF.');
  await expect(queue(page).getByRole('button', { name: /Try/ })).toHaveCount(0);
  expect(await documentsOf(api, customer.id)).toHaveLength(3);
});

test('uploads run three at a time, on any screen, until cancelled', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer();
  const files = makeTexts(unique('slow'), 6);
  const { release } = await holdCalls(page, '/api/documents');
  const calls = recordCalls(page, 'POST', '/api/documents');
  await openCustomer(page, customer);
  await dragFiles(page, 'drop', files);
  await expectQueue(page, '0 of 6 uploaded');
  await expect(queue(page).getByText(/^\d+%$/)).toHaveCount(3);
  await expect(queue(page).getByText('Waiting', { exact: true })).toHaveCount(3);
  expect(calls).toHaveLength(3);
  await expect(queue(page).getByRole('button', { name: 'Close uploads' })).toHaveCount(0);
  await queue(page)
    .getByRole('button', { name: `Cancel ${files[0]?.name}` })
    .click();
  await expectQueue(page, '0 of 5 uploaded');
  await expect(queue(page).getByText('Waiting', { exact: true })).toHaveCount(2);
  await queue(page).getByRole('button', { name: 'Cancel all' }).click();
  await expectQueue(page, '0 of 5 uploaded, 5 failed');
  await queue(page).getByRole('button', { name: 'Try all failed again' }).click();
  await menuLink(page, 'Dashboard').click();
  await menuLink(page, 'Document Search').click();
  release();
  await expectQueue(page, '5 of 5 uploaded');
  expect(await contentsOf(api, customer.id)).toEqual(contentsOfFiles(files.slice(1)));
  const recent = page.getByRole('region', { name: 'Just uploaded' });
  await expect(recent.getByRole('row')).toHaveCount(6);
});

test('closing the window and signing out ask during uploads', async ({ adminPage: page, admin, api }) => {
  await holdCalls(page, '/api/documents');
  const customer = await api.makeCustomer();
  await openCustomer(page, customer);
  await dragFiles(page, 'drop', makeTexts(unique('leaving'), 2));
  await expectQueue(page, '0 of 2 uploaded');
  // Browsers ask only those who have used the page.
  await page.getByRole('heading', { level: 1 }).click();
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  expect((await asked).type()).toBe('beforeunload');
  await (await asked).dismiss();
  const signOut = page.getByRole('button', { name: 'Sign out', exact: true });
  await signOut.click();
  const question = page.getByRole('dialog', { name: 'Sign out and stop uploading?' });
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect(question).toHaveCount(0);
  await expectQueue(page, '0 of 2 uploaded');
  await signOut.click();
  await question.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await signInAs(page, admin);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  await expect(queue(page)).toHaveCount(0);
  expect(await documentsOf(api, customer.id)).toEqual([]);
});

test.describe(() => {
  test.use({ ownAccounts: true });

  for (const { who, isSame } of [
    { who: 'the same user signs in again, and go on', isSame: true },
    { who: 'another user signs in, and are gone', isSame: false },
  ]) {
    test(`uploads of a session that ended wait until ${who}`, async ({ adminPage: page, admin, api }) => {
      const customer = await api.makeCustomer();
      const files = makeTexts(unique('ended'), 5);
      await openCustomer(page, customer);
      await expect(page.getByText("This customer doesn't have any documents yet.")).toBeVisible();
      await endOnServer(page, api.url, admin.token);
      await dragFiles(page, 'drop', files);
      await expect(page).toHaveURL('/login');
      await signInAs(page, isSame ? admin : await api.makeUser('admin'));
      await expect(menuLink(page, 'Dashboard')).toBeVisible();
      if (isSame) await expectQueue(page, '5 of 5 uploaded');
      else await expect(queue(page)).toHaveCount(0);
      expect(await contentsOf(api, customer.id)).toEqual(isSame ? contentsOfFiles(files) : {});
    });
  }
});

test('a busy server is asked again after the time it says', async ({ adminPage: page, api }) => {
  const calls = recordCalls(page, 'POST', '/api/documents');
  const busy = { status: 503, headers: { 'retry-after': '30' }, json: { error: 'Busy', code: 'BUSY' } };
  await page.route('**/api/documents', (route) => route.fulfill(busy), { times: 2 });
  await page.clock.install();
  await openCustomer(page, await api.makeCustomer());
  await page.clock.pauseAt(Date.now() + 60_000);
  await dragFiles(page, 'drop', makeTexts(unique('busy'), 2));
  await expect(queue(page).getByRole('listitem').getByText('Waiting for the connection')).toHaveCount(2);
  await page.clock.runFor(29_000);
  expect(calls).toHaveLength(2);
  await page.clock.resume();
  await expectQueue(page, '2 of 2 uploaded');
  expect(calls).toHaveLength(4);
});

test('a hundred files survive a broken connection, each once', async ({ page, admin, api, server }) => {
  test.slow();
  const proxy = await startLosingProxy(server.url);
  try {
    const customer = await api.makeCustomer();
    const files = makeTexts(unique('many'), 100);
    await page.goto(`${proxy.url}/login`);
    await signInAs(page, admin);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
    await page.goto(`${proxy.url}/customers/${customer.id}`);
    await expect(page.getByText("This customer doesn't have any documents yet.")).toBeVisible();
    const summary = queue(page).getByRole('button', { name: /^\d+ of 100 uploaded/ });
    const uploaded = async () => Number.parseInt((await summary.textContent()) ?? '', 10);
    await dragFiles(page, 'drop', files);

    await expect.poll(uploaded).toBeGreaterThan(10);
    proxy.lose(true);
    await expect(queue(page).getByText('Waiting for the connection').first()).toBeVisible();
    expect(proxy.lostAnswers()).toBeGreaterThan(0);
    proxy.lose(false);

    const before = await uploaded();
    await expect.poll(uploaded).toBeGreaterThan(before + 20);
    await page.context().setOffline(true);
    await expect(queue(page).getByText('Waiting for the connection').first()).toBeVisible();
    await page.context().setOffline(false);

    await expect(summary).toHaveText('100 of 100 uploaded', { timeout: 30_000 });
    expect(await documentsOf(api, customer.id)).toHaveLength(100);
    expect(await contentsOf(api, customer.id)).toEqual(contentsOfFiles(files));
  } finally {
    await page.goto('about:blank');
    await proxy.stop();
  }
});

test('uploads are listed until the sign-out', async ({ adminPage: page, admin, api }) => {
  const customer = await api.makeCustomer();
  const file = makeFile(`${unique('one')}.txt`);
  await openUpload(page, customer);
  await chooseFile(page, file);
  await uploadButton(page).click();
  const message = page.getByRole('status').filter({ hasText: `"${file.name}" was uploaded.` });
  await message.getByRole('link', { name: 'Go to customer' }).click();
  await expect(page.getByRole('heading', { level: 1, name: customer.name })).toBeVisible();
  await page.goBack();
  const recent = page.getByRole('region', { name: 'Just uploaded' });
  await expect(recent.getByRole('row')).toHaveCount(2);
  await dragFiles(page, 'drop', makeTexts(unique('more'), 1));
  await answerForWhom(page, customer);
  await expect(recent.getByRole('row')).toHaveCount(3);
  await recent.getByRole('button', { name: `Delete ${file.name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(recent.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signInAs(page, admin);
  await menuLink(page, 'Document Search').click();
  await expect(page.getByText('No search performed')).toBeVisible();
  await expect(recent).toHaveCount(0);
});

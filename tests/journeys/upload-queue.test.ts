import type { Customer } from '@customer-database/contract/customers';
import { openFaultyProxy } from '@customer-database/testkit/faulty-proxy';
import type { Page } from '@playwright/test';
import { unique } from './support/api.ts';
import { answerCalls, failure, holdCalls, holdNextAnswer, recordCalls } from './support/calls.ts';
import { makeFile, type PickedFile } from './support/files.ts';

import { endOnServer, kept, signInAs } from './support/session.ts';
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
import { customerField } from './support/upload-screen.ts';

test.use({ callsMayFail: true });

const filesDialog = (page: Page) => page.getByRole('dialog', { name: 'Upload files' });
const menuLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name });

async function chooseCustomer(page: Page, { name }: Customer): Promise<void> {
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

/** Without a title, it is the customer's name. */
const places = [
  {
    path: ({ id }: Customer) => `/documents/upload?customer=${id}`,
    title: 'Upload Document',
    isKnown: true,
    type: 'pdf',
  },
  { path: () => '/documents/all', title: 'All Documents', isKnown: false, type: 'docx' },
  { path: ({ id }: Customer) => `/customers/${id}`, isKnown: true, type: 'doc' },
  { path: () => '/documents/upload', title: 'Upload Document', isKnown: false, type: 'txt' },
];

test('files of every type are uploaded when dropped on any screen of documents', async ({
  adminPage: page,
  api,
}) => {
  const customer = await api.makeCustomer();
  const dropped: PickedFile[] = [];
  for (const { path, title, isKnown, type } of places) {
    const files = [1, 2].map(() => makeFile(`${unique('dropped')}.${type}`));
    await page.goto(path(customer));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title ?? customer.name);
    if (title === 'Upload Document') {
      await expect(customerField(page)).toHaveValue(isKnown ? customer.name : '');
    } else await expect(page.getByRole('button', { name: 'Upload files' })).toBeVisible();
    const invitation = isKnown ? `Drop files to upload for ${customer.name}` : 'Drop files to upload';
    // It disappears soon after the last event of a drag.
    await expect(async () => {
      await dragFiles(page, 'dragover', files);
      await expect(page.getByText(invitation, { exact: true })).toBeVisible({ timeout: 500 });
    }).toPass();
    await dragFiles(page, 'drop', files);
    await expect(page.getByText(invitation, { exact: true })).toHaveCount(0);
    if (!isKnown) await chooseCustomer(page, customer);
    await expectQueue(page, '2 of 2 uploaded');
    dropped.push(...files);
  }
  const saved = await documentsOf(api, customer.id);
  expect(Object.fromEntries(saved.map(({ filename, mime_type }) => [filename, mime_type]))).toEqual(
    Object.fromEntries(dropped.map(({ name, mimeType }) => [name, mimeType])),
  );
});

test('what is no document is not sent; what failed says why and can be tried again', async ({
  adminPage: page,
  api,
}) => {
  const customer = await api.makeCustomer();
  await api.makeDocument(customer.id, { filename: 'plan.txt' });
  const calls = recordCalls(page, 'POST', '/api/documents');
  await openCustomer(page, customer);
  const program = { name: 'tool.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') };
  const large = { ...makeFile('large.txt'), buffer: Buffer.alloc(10 * 1024 * 1024 + 1, 'a') };
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload files' }).press('Enter');
  expect((await chooser).isMultiple()).toBe(true);
  await (await chooser).setFiles([makeFile('plan.txt'), program, large]);
  await expectQueue(page, '1 of 3 uploaded, 2 failed');
  await expect(queue(page).getByRole('status')).toHaveText('1 of 3 uploaded, 2 failed');
  await expect(queueRow(page, 'tool.exe')).toContainText(
    'Please select a valid document file (.pdf, .docx, .doc, or .txt)',
  );
  await expect(queueRow(page, 'large.txt')).toContainText('File size must be less than 10MB');
  await expect(queue(page).getByRole('button', { name: /Try again/ })).toHaveCount(0);
  expect(calls).toHaveLength(1);
  await expect(queue(page).getByRole('link', { name: 'Saved as plan (1).txt' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Documents (2)' })).toBeVisible();
  await queue(page).getByRole('button', { name: 'Remove tool.exe' }).click();
  await queue(page).getByRole('button', { name: '1 of 2 uploaded, 1 failed' }).press('Enter');
  await expect(queue(page).getByRole('listitem')).toHaveCount(0);
  await queue(page).getByRole('button', { name: 'Close uploads' }).press('Enter');
  await expect(queue(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  const files = makeTexts(unique('again'), 3);
  const [first] = files;
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
  expect(await documentsOf(api, customer.id)).toHaveLength(5);
});

test('uploads run three at a time, on any screen, until cancelled or signed out', async ({
  adminPage: page,
  admin,
  api,
}) => {
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
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  expect((await asked).type()).toBe('beforeunload');
  await (await asked).dismiss();
  await menuLink(page, 'Dashboard').click();
  await menuLink(page, 'Document Search').click();
  release();
  await expectQueue(page, '5 of 5 uploaded');
  expect(await contentsOf(api, customer.id)).toEqual(contentsOfFiles(files.slice(1)));
  const recent = page.getByRole('region', { name: 'Just uploaded' });
  await expect(recent.getByRole('row')).toHaveCount(6);
  await recent.getByRole('button', { name: `Delete ${files[1]?.name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(recent.getByRole('row')).toHaveCount(5);

  await holdCalls(page, '/api/documents');
  await dragFiles(page, 'drop', makeTexts(unique('leaving'), 2));
  await chooseCustomer(page, customer);
  await expectQueue(page, '0 of 2 uploaded');
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
  await menuLink(page, 'Document Search').click();
  await expect(page.getByText('No search performed')).toBeVisible();
  await expect(recent).toHaveCount(0);
  await expect(queue(page)).toHaveCount(0);
  expect(await documentsOf(api, customer.id)).toHaveLength(4);
});

test('uploads of a session that ended wait for the same user, and end for another', async ({
  adminPage: page,
  admin,
  api,
}) => {
  const customer = await api.makeCustomer();
  const files = makeTexts(unique('ended'), 5);
  const dropWithoutSession = async (dropped: PickedFile[]) => {
    await endOnServer(page, api.url, (await kept(page)).local.authToken ?? '');
    await dragFiles(page, 'drop', dropped);
    await expect(page).toHaveURL('/login');
  };
  await openCustomer(page, customer);
  await expect(page.getByText("This customer doesn't have any documents yet.")).toBeVisible();
  await dropWithoutSession(files);
  await signInAs(page, admin);
  await expectQueue(page, '5 of 5 uploaded');
  expect(await contentsOf(api, customer.id)).toEqual(contentsOfFiles(files));

  await expect(page.getByRole('region', { name: 'Documents (5)' })).toBeVisible();
  await dropWithoutSession(makeTexts(unique('lost'), 5));
  await signInAs(page, await api.makeUser('admin'));
  await expect(menuLink(page, 'Dashboard')).toBeVisible();
  await expect(queue(page)).toHaveCount(0);
  expect(await documentsOf(api, customer.id)).toHaveLength(5);
});

test('a list whose first answer is older than the uploads shows them all', async ({
  adminPage: page,
  api,
}) => {
  const customer = await api.makeCustomer();
  const held = await holdNextAnswer(page, `/api/documents/customer/${customer.id}`);
  await openCustomer(page, customer);
  await held.answered;
  await dragFiles(page, 'drop', makeTexts(unique('early'), 2));
  await expectQueue(page, '2 of 2 uploaded');
  await held.release();
  await expect(page.getByRole('region', { name: 'Documents (2)' })).toBeVisible();
});

test('a busy server is sent the files again after the time it names', async ({ adminPage: page, api }) => {
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
  const proxy = await openFaultyProxy(server.url);
  try {
    const customer = await api.makeCustomer();
    const files = makeTexts(unique('many'), 100);
    await page.goto(`${proxy.endpoint}/login`);
    await signInAs(page, admin);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
    await page.goto(`${proxy.endpoint}/customers/${customer.id}`);
    await expect(page.getByText("This customer doesn't have any documents yet.")).toBeVisible();
    const summary = queue(page).getByRole('button', { name: /^\d+ of 100 uploaded/ });
    const uploaded = async () => Number.parseInt((await summary.textContent()) ?? '', 10);
    const saved = async () => (await documentsOf(api, customer.id)).length;
    await dragFiles(page, 'drop', files);

    await expect.poll(uploaded).toBeGreaterThan(10);
    // The server saves files whose responses are lost.
    await proxy.set({ cut: 'answer', afterBytes: 0 });
    await expect(queue(page).getByText('Waiting for the connection').first()).toBeVisible();
    const before = await uploaded();
    await expect.poll(saved).toBeGreaterThan(before);
    await proxy.set('none');

    await expect.poll(uploaded).toBeGreaterThan(before + 20);
    await page.context().setOffline(true);
    await expect(queue(page).getByText('Waiting for the connection').first()).toBeVisible();
    await page.context().setOffline(false);

    await expect(summary).toHaveText('100 of 100 uploaded', { timeout: 30_000 });
    expect(await saved()).toBe(100);
    expect(await contentsOf(api, customer.id)).toEqual(contentsOfFiles(files));
  } finally {
    await page.goto('about:blank');
    await proxy.close();
  }
});

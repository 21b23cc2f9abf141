import { rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { limits } from '@customer-database/contract/limits';
import type { Page } from '@playwright/test';
import { send, unique } from './support/api.ts';
import { answerCalls, failure, recordCalls } from './support/calls.ts';
import { chooseFile, dropFiles, makeFile } from './support/files.ts';
import { look } from './support/look.ts';
import { testOnPreparedServer } from './support/prepared-server.ts';
import { endOnServer, signInAs } from './support/session.ts';
import { expect, failedCall, test } from './support/test.ts';
import { customerField, openUpload, uploadButton } from './support/upload-screen.ts';

const wrongType = 'Please select a valid document file (.pdf, .docx, .doc, or .txt)';
const tooLarge = 'File size must be less than 10MB';

/** A file on disk: sending that much through the browser's protocol takes ten times as long as the upload. */
async function largeText(size: number): Promise<string> {
  const path = test.info().outputPath(`${unique('large')}.txt`);
  await writeFile(path, Buffer.alloc(size, 'a'));
  return path;
}

async function expectRefused(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('alert')).toHaveText(text);
  await expect(uploadButton(page)).toBeDisabled();
}

for (const { what, file } of [
  { what: 'another extension', file: { name: 'tool.exe', mimeType: 'application/x-msdownload' } },
  { what: 'a picture', file: { name: 'photo.png', mimeType: 'image/png' } },
  { what: 'an allowed name with another type', file: { name: 'page.txt', mimeType: 'text/html' } },
  { what: 'a name without extension', file: { name: 'README', mimeType: 'text/plain' } },
]) {
  test(`${what} is refused, chosen or dropped`, async ({ adminPage, api }) => {
    const buffer = Buffer.from('Some words.');
    await openUpload(adminPage, await api.makeCustomer());
    await chooseFile(adminPage, { ...file, buffer });
    await expectRefused(adminPage, wrongType);
    await chooseFile(adminPage, makeFile('good.txt'));
    await expect(adminPage.getByRole('alert')).toHaveCount(0);
    await expect(uploadButton(adminPage)).toBeEnabled();
    await dropFiles(adminPage, [{ ...file, buffer }]);
    await expectRefused(adminPage, wrongType);
  });
}

test('a second refusal is seen like the first, for the same reason or another', async ({
  adminPage,
  api,
}) => {
  await openUpload(adminPage, await api.makeCustomer());
  const large = await largeText(limits.maxUploadBytes + 1);
  const wrong = (name: string) => ({ name, mimeType: '', buffer: Buffer.from('Some words.') });
  for (const [file, text] of [
    [wrong('a.exe'), wrongType],
    [wrong('b.png'), wrongType],
    [large, tooLarge],
    [large, tooLarge],
  ] as const) {
    await chooseFile(adminPage, file);
    await expectRefused(adminPage, text);
  }
});

test('a file of 10MB is accepted, one byte more is not', async ({ adminPage, api }) => {
  const customer = await api.makeCustomer();
  await openUpload(adminPage, customer);
  await chooseFile(adminPage, await largeText(limits.maxUploadBytes + 1));
  await expectRefused(adminPage, tooLarge);
  const largest = await largeText(limits.maxUploadBytes);
  await chooseFile(adminPage, largest);
  await expect(adminPage.getByText('10 MB', { exact: true })).toBeVisible();
  await uploadButton(adminPage).click();
  await expect(adminPage).toHaveURL('/documents');
  const { body } = await send(api.url, 'GET', `/api/documents/customer/${customer.id}`, api.token);
  expect(body.documents).toMatchObject([{ filename: basename(largest), file_size: 10_485_760 }]);
});

test('a customer must be selected', async ({ adminPage, api }) => {
  await api.makeCustomer();
  const uploads = recordCalls(adminPage, 'POST', '/api/documents');
  await openUpload(adminPage);
  await chooseFile(adminPage, makeFile('plan.txt'));
  await uploadButton(adminPage).click();
  await expect(adminPage.getByText('Please select a customer', { exact: true })).toBeVisible();
  await expect(customerField(adminPage)).toBeFocused();
  expect(uploads).toHaveLength(0);
});

test('a file is required', async ({ adminPage, api }) => {
  const customer = await api.makeCustomer();
  const uploads = recordCalls(adminPage, 'POST', '/api/documents');
  await openUpload(adminPage, customer);
  await expect(uploadButton(adminPage)).toBeDisabled();
  await customerField(adminPage).focus();
  await adminPage.keyboard.press('Escape');
  await adminPage.keyboard.press('Enter');
  await expect(adminPage.getByRole('alert')).toHaveText('Please select a file to upload');
  await expect(adminPage.getByRole('button', { name: 'Choose file' })).toBeFocused();
  expect(uploads).toHaveLength(0);
});

test('a file that disappears before the upload is not selected', async ({ adminPage, api }, info) => {
  const path = info.outputPath('gone.txt');
  await writeFile(path, 'Some words.');
  const customer = await api.makeCustomer();
  await openUpload(adminPage, customer);
  await chooseFile(adminPage, path);
  await expect(adminPage.getByText('gone.txt', { exact: true })).toBeVisible();
  await rm(path);
  await uploadButton(adminPage).click();
  await expect(adminPage.getByRole('alert')).toHaveText('No file selected');
  await expect(customerField(adminPage)).toHaveValue(customer.name);
});

test('content that does not match the name is refused by the server, at the file', async ({
  adminPage,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const customer = await api.makeCustomer();
  await openUpload(adminPage, customer);
  await chooseFile(adminPage, {
    ...makeFile('really.txt'),
    name: 'pretends.pdf',
    mimeType: 'application/pdf',
  });
  await uploadButton(adminPage).click();
  const text = `${wrongType} This file is named .pdf but is not a PDF.`;
  await expect(adminPage.getByRole('alert')).toHaveText(text);
  await expect(adminPage.getByRole('button', { name: 'Choose another file' })).toBeFocused();
  await expect(customerField(adminPage)).toHaveValue(customer.name);
});

test("a refused upload shows the server's message", async ({ adminPage, api, expectConsole }) => {
  expectConsole(failedCall);
  const customer = await api.makeCustomer();
  await openUpload(adminPage, customer);
  await chooseFile(adminPage, makeFile('plan.txt'));
  await expect(uploadButton(adminPage)).toBeEnabled();
  await api.delete(`/api/customers/${customer.id}`);
  await uploadButton(adminPage).click();
  await expect(adminPage.getByRole('alert')).toHaveText('Customer not found');
  await expect(adminPage.getByText('plan.txt', { exact: true })).toBeVisible();
});

test('an upload without a response shows a fixed message', async ({ adminPage, api, expectConsole }) => {
  expectConsole(failedCall);
  const { restore } = await answerCalls(adminPage, 'POST', '/api/documents', 'no answer');
  await openUpload(adminPage, await api.makeCustomer());
  await chooseFile(adminPage, makeFile('plan.txt'));
  await uploadButton(adminPage).click();
  await expect(adminPage.getByRole('alert')).toHaveText('Failed to upload document. Please try again.');
  await restore();
  await uploadButton(adminPage).click();
  await expect(adminPage).toHaveURL('/documents');
});

test('customers that fail to load show an error, and can be retried', async ({
  adminPage,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const customer = await api.makeCustomer();
  const { restore } = await answerCalls(adminPage, 'POST', '/api/customers/search', failure);
  await adminPage.goto('/documents/upload');
  const alert = adminPage.getByRole('alert');
  await expect(alert.getByText('Error loading customers. Please try again.', { exact: true })).toBeVisible();
  await restore();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toHaveCount(0);
  await customerField(adminPage).fill(customer.name);
  await expect(adminPage.getByRole('option', { name: customer.name })).toBeVisible();
});

test('leaving a filled form asks first, but Cancel does not', async ({ adminPage, api }) => {
  await openUpload(adminPage, await api.makeCustomer());
  await chooseFile(adminPage, makeFile('plan.txt'));
  const menu = adminPage
    .getByRole('navigation', { name: 'Main menu' })
    .getByRole('link', { name: 'All Documents' });
  const dialog = adminPage.getByRole('dialog', { name: 'Leave without saving?' });
  await menu.click();
  await dialog.getByRole('button', { name: 'Stay here' }).click();
  await expect(adminPage.getByText('plan.txt', { exact: true })).toBeVisible();
  await menu.click();
  await dialog.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(adminPage.getByRole('heading', { level: 1 })).toHaveText('All Documents');
  await adminPage.goBack();
  await expect(adminPage.getByRole('heading', { level: 1 })).toHaveText('Upload Document');
  await chooseFile(adminPage, makeFile('plan.txt'));
  await adminPage.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(adminPage).toHaveURL('/documents');
  await menu.click();
  await adminPage.getByRole('link', { name: 'Upload Document' }).click();
  await chooseFile(adminPage, makeFile('plan.txt'));
  await adminPage.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(adminPage).toHaveURL('/documents/all');
});

for (const { noticed, sends } of [
  { noticed: 'by the upload', sends: true },
  { noticed: 'by the question about the name', sends: false },
]) {
  test(`a session that has ended, noticed ${noticed}, leads to /login and back to the filled form`, async ({
    adminPage,
    admin,
    api,
    expectConsole,
  }) => {
    expectConsole(failedCall);
    const customer = await api.makeCustomer();
    const file = makeFile(`${unique('kept')}.txt`);
    await openUpload(adminPage, customer);
    await adminPage.getByLabel('Description (optional)').fill('Still here');
    if (sends) {
      const answer = adminPage.waitForResponse('/api/documents/check-duplicate');
      await chooseFile(adminPage, file);
      await answer;
    }
    await endOnServer(adminPage, api.url, admin.token);
    if (sends) await uploadButton(adminPage).click();
    else await chooseFile(adminPage, file);
    await expect(adminPage).toHaveURL('/login');
    await signInAs(adminPage, admin);
    await expect(adminPage).toHaveURL(`/documents/upload?customer=${customer.id}`);
    await expect(adminPage.getByLabel('Description (optional)')).toHaveValue('Still here');
    await uploadButton(adminPage).click();
    await expect(adminPage.getByText(`"${file.name}" was uploaded.`)).toBeVisible();
  });
}

test('staff are denied the upload, on the screen and by the server', async ({ staffPage, staff, api }) => {
  await staffPage.goto('/dashboard');
  await staffPage.goto('/documents/upload');
  await expect(staffPage.getByRole('heading', { level: 1 })).toHaveText('Access Denied');
  await expect(
    staffPage.getByText("You don't have permission to upload documents.", { exact: true }),
  ).toBeVisible();
  await staffPage.getByRole('button', { name: 'Go Back' }).click();
  await expect(staffPage).toHaveURL('/dashboard');
  const customer = await api.makeCustomer();
  const body = {
    customer_id: customer.id,
    filename: 'a.txt',
    mime_type: 'text/plain',
    file_data: Buffer.from('Words').toString('base64'),
  };
  expect((await send(api.url, 'POST', '/api/documents', staff.token, body)).status).toBe(403);
});

testOnPreparedServer(async () => {})(
  'without any customer the button stays disabled',
  async ({ adminPage }) => {
    await openUpload(adminPage);
    await chooseFile(adminPage, makeFile('plan.txt'));
    await expect(adminPage.getByText('There are no customers yet.')).toBeVisible();
    await look(adminPage, 'upload-without-customers');
    await expect(uploadButton(adminPage)).toBeDisabled();
    await customerField(adminPage).click();
    await expect(adminPage.getByText('No customers found', { exact: true })).toBeVisible();
  },
);

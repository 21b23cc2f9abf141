import { rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Customer } from '@customer-database/contract/customers';
import { limits } from '@customer-database/contract/limits';
import type { Page } from '@playwright/test';
import { unique, uniqueEmail } from './support/api.ts';
import { answerCalls, failure, holdCalls, recordCalls } from './support/calls.ts';
import { chooseFile, makeFile, type PickedFile } from './support/files.ts';
import { repeat } from './support/repeat.ts';
import { endOnServer, signInAs } from './support/session.ts';
import { expect, test } from './support/test.ts';
import { documentsOf, dragFiles } from './support/upload-queue.ts';
import { customerField, openUpload, uploadButton } from './support/upload-screen.ts';

test.use({ callsMayFail: true });

const wrongType = 'Please select a valid document file (.pdf, .docx, .doc, or .txt)';
const tooLarge = 'File size must be less than 10MB';

const description = (page: Page) => page.getByLabel('Description (optional)');

async function pickCustomer(page: Page, { name }: Customer): Promise<void> {
  await customerField(page).fill(name);
  await page.getByRole('option', { name }).click();
}

const dropFile = (page: Page, file: PickedFile) => dragFiles(page, 'drop', [file]);

/** A file on disk: sending that much through the browser's protocol takes ten times as long as the upload. */
async function largeText(size: number): Promise<string> {
  const path = test.info().outputPath(`${unique('large')}.txt`);
  await writeFile(path, Buffer.alloc(size, 'a'));
  return path;
}

test('an upload is sent once; then the form is empty', async ({ adminPage: page, admin, api }) => {
  const customer = await api.makeCustomer();
  const file = makeFile(`${unique('offer')}.pdf`);
  const calls = recordCalls(page, 'POST', '/api/documents');
  await openUpload(page, customer);
  await expect(page.getByRole('region', { name: 'Upload guidelines' }).getByRole('listitem')).toHaveText([
    /PDF, DOCX, DOC, TXT/,
    /10MB/,
    /stored in cloud object storage/,
    /metadata is saved in the database/,
    /Duplicate filenames are automatically renamed like 'document \(1\)\.pdf'/,
  ]);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose file' }).click();
  expect(await (await chooser).element().getAttribute('accept')).toBe('.pdf,.docx,.doc,.txt');
  await (await chooser).setFiles(file);
  await description(page).fill('The signed copy.\nTwo pages.');
  await uploadButton(page).dblclick();
  await expect(page).toHaveURL('/documents');
  const message = page.getByRole('status').filter({ hasText: `"${file.name}" was uploaded.` });
  await message.getByRole('link', { name: 'Go to customer' }).click();
  await expect(page.getByRole('heading', { level: 1, name: customer.name })).toBeVisible();
  await page.goBack();
  expect(calls.map((call) => call.postDataJSON())).toEqual([
    {
      customer_id: customer.id,
      filename: file.name,
      description: 'The signed copy.\nTwo pages.',
      file_data: file.buffer.toString('base64'),
      mime_type: 'application/pdf',
    },
  ]);
  expect(await calls[0]?.headerValue('authorization')).toBe(`Bearer ${admin.token}`);
  await page.getByRole('link', { name: 'Upload Document' }).click();
  await expect(customerField(page)).toHaveValue('');
  await expect(page.getByText('Drag and drop a file here, or')).toBeVisible();
  await expect(description(page)).toHaveValue('');
});

test('a customer and a valid file are needed', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer();
  const uploads = recordCalls(page, 'POST', '/api/documents');
  const alert = page.getByRole('alert');
  await openUpload(page);
  await chooseFile(page, makeFile('plan.txt'));
  await uploadButton(page).click();
  await expect(page.getByText('Please select a customer', { exact: true })).toBeVisible();
  await expect(customerField(page)).toBeFocused();
  await pickCustomer(page, customer);
  await page.getByRole('button', { name: 'Remove file' }).click();
  await expect(uploadButton(page)).toBeDisabled();
  await customerField(page).press('Escape');
  await customerField(page).press('Enter');
  await expect(alert).toHaveText('Please select a file to upload');
  await expect(page.getByRole('button', { name: 'Choose file' })).toBeFocused();
  const wrong = (name: string, mimeType: string) => ({ name, mimeType, buffer: Buffer.from('Some words.') });
  for (const [choose, file, text] of [
    [chooseFile, wrong('tool.exe', 'application/x-msdownload'), wrongType],
    [dropFile, wrong('photo.png', 'image/png'), wrongType],
    [chooseFile, await largeText(limits.maxUploadBytes + 1), tooLarge],
    [chooseFile, wrong('page.txt', 'text/html'), wrongType],
    [chooseFile, wrong('README', 'text/plain'), wrongType],
  ] as const) {
    await choose(page, file as PickedFile);
    await expect(alert).toHaveText(text);
    await expect(uploadButton(page)).toBeDisabled();
  }
  await chooseFile(page, makeFile('plan.txt'));
  await expect(alert).toHaveCount(0);
  expect(uploads).toHaveLength(0);
});

test('a file may have 10MB, and must still be there', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer();
  const gone = await largeText(limits.maxUploadBytes);
  await openUpload(page, customer);
  await chooseFile(page, gone);
  await expect(page.getByText('10 MB', { exact: true })).toBeVisible();
  await rm(gone);
  await uploadButton(page).click();
  await expect(page.getByRole('alert')).toHaveText('No file selected');
  await expect(customerField(page)).toHaveValue(customer.name);
  const path = await largeText(limits.maxUploadBytes);
  await chooseFile(page, path);
  await uploadButton(page).click();
  await expect(page).toHaveURL('/documents');
  const [{ filename, file_size } = {}] = await documentsOf(api, customer.id);
  expect([filename, file_size]).toEqual([basename(path), 10_485_760]);
});

test('a failed upload says why and can be tried again', async ({ adminPage: page, api }) => {
  const [customer, gone] = [await api.makeCustomer(), await api.makeCustomer()];
  const alert = page.getByRole('alert');
  await openUpload(page, gone);
  await chooseFile(page, { ...makeFile('a.txt'), name: 'pretends.pdf', mimeType: 'application/pdf' });
  await uploadButton(page).click();
  await expect(alert).toHaveText(`${wrongType} This file is named .pdf but is not a PDF.`);
  await expect(page.getByRole('button', { name: 'Choose another file' })).toBeFocused();
  await chooseFile(page, makeFile('plan.txt'));
  await expect(alert).toHaveCount(0);
  await api.delete(`/api/customers/${gone.id}`);
  await uploadButton(page).click();
  await expect(alert).toHaveText('Customer not found');
  await pickCustomer(page, customer);
  const { restore } = await answerCalls(page, 'POST', '/api/documents', 'no answer');
  await uploadButton(page).click();
  await expect(alert).toHaveText('Failed to upload document. Please try again.');
  await restore();
  await uploadButton(page).click();
  await expect(page).toHaveURL('/documents');
});

test('the customer is found by name, email and phone number', async ({ adminPage: page, api }) => {
  const mark = unique('Many');
  await repeat(24, (number) => api.makeCustomer({ name: `${mark} ${number}` }));
  const phone = String(Date.now());
  const sought = { name: unique('Žofie Zzyzx'), email: uniqueEmail('zofie'), phone_number: `+420 ${phone}` };
  await api.makeCustomer(sought);
  const field = customerField(page);
  const options = page.getByRole('option');

  await page.goto('/documents/upload?customer=999999999');
  await expect(field).toHaveValue('');
  await field.click();
  await expect(options.first()).toBeVisible();
  await expect(field).toHaveAccessibleDescription(
    /^The list shows 20 of \d+ customers\. Type .* to find the others\.$/,
  );
  for (const term of [sought.email, phone]) {
    await field.fill(term);
    await expect(options).toHaveText([new RegExp(sought.name)]);
    await expect(field).toHaveAccessibleDescription(/^Type .* phone number\.$/);
  }
  await field.fill('no such customer');
  await expect(page.getByText('No customers found', { exact: true })).toBeVisible();
  const held = await holdCalls(page, '/api/customers/search');
  await field.fill(sought.name);
  await expect(page.getByText('Searching…', { exact: true })).toBeVisible();
  await expect(options).toHaveCount(0);
  held.release();
  await options.first().click();
  await expect(field).toHaveValue(sought.name);
});

test('a duplicate name is announced and replaced', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer();
  await api.makeDocument(customer.id, { filename: 'Plan.txt' });
  const checks = recordCalls(page, 'POST', '/api/documents/check-duplicate');
  const announced = page.getByText(/^Will be saved as/);
  await openUpload(page);
  await chooseFile(page, makeFile('plan.txt'));
  await customerField(page).fill(customer.name);
  await expect(announced).toHaveCount(0);
  expect(checks).toHaveLength(0);
  await page.getByRole('option', { name: customer.name }).click();
  await expect(announced).toHaveText('Will be saved as: plan (1).txt');
  const asked = { customer_id: customer.id, filename: 'plan.txt' };
  expect(checks.map((call) => call.postDataJSON())).toEqual([asked]);
  const checked = page.waitForResponse('**/api/documents/check-duplicate');
  await dropFile(page, makeFile('free.txt'));
  await checked;
  await expect(announced).toHaveCount(0);
  await chooseFile(page, makeFile('plan.txt'));
  await expect(announced).toBeVisible();
  await uploadButton(page).click();
  await expect(page.getByText('"plan (1).txt" was uploaded.')).toBeVisible();
  await answerCalls(page, 'POST', '/api/documents/check-duplicate', failure);
  await page.getByRole('link', { name: 'Upload Document' }).click();
  await pickCustomer(page, customer);
  await chooseFile(page, makeFile('plan.txt'));
  await uploadButton(page).click();
  await expect(page.getByText('"plan (2).txt" was uploaded.')).toBeVisible();
  const names = (await documentsOf(api, customer.id)).map(({ filename }) => filename);
  expect(names).toEqual(['plan (2).txt', 'plan (1).txt', 'Plan.txt']);
});

test('a filled form survives a new sign-in; leaving asks first, Cancel does not', async ({
  adminPage: page,
  admin,
  api,
}) => {
  const customer = await api.makeCustomer();
  const file = makeFile(`${unique('kept')}.txt`);
  const menu = page
    .getByRole('navigation', { name: 'Main menu' })
    .getByRole('link', { name: 'All Documents' });
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await openUpload(page, customer);
  await description(page).fill('Still here');
  const checked = page.waitForResponse('/api/documents/check-duplicate');
  await chooseFile(page, file);
  await checked;
  await menu.click();
  await dialog.getByRole('button', { name: 'Stay here' }).click();
  await expect(page.getByText(file.name, { exact: true })).toBeVisible();
  await endOnServer(page, api.url, admin.token);
  await uploadButton(page).click();
  await expect(page).toHaveURL('/login');
  await signInAs(page, admin);
  await expect(page).toHaveURL(`/documents/upload?customer=${customer.id}`);
  await expect(description(page)).toHaveValue('Still here');
  await uploadButton(page).click();
  await expect(page.getByText(`"${file.name}" was uploaded.`)).toBeVisible();

  await page.getByRole('link', { name: 'Upload Document' }).click();
  await chooseFile(page, file);
  await menu.click();
  await dialog.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Documents');
  await page.getByRole('link', { name: 'Upload Document' }).click();
  await chooseFile(page, file);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page).toHaveURL('/documents/all');
});

import type { Document } from '@customer-database/contract/documents';
import { type Api, send, unique, uniqueEmail } from './support/api.ts';
import { answerCalls, failure, holdCalls, recordCalls } from './support/calls.ts';
import { chooseFile, dropFiles, makeFile } from './support/files.ts';
import { repeat } from './support/repeat.ts';
import { expect, failedCall, test } from './support/test.ts';
import { customerSearch, typeInTwoGoes } from './support/typing.ts';
import { customerField, openUpload, uploadButton } from './support/upload-screen.ts';

async function documentsOf(api: Api, customerId: number): Promise<Document[]> {
  return (await send(api.url, 'GET', `/api/documents/customer/${customerId}`, api.token)).body.documents;
}

for (const [extension, typeName] of [
  ['pdf', 'PDF document'],
  ['docx', 'Word document (DOCX)'],
  ['doc', 'Word document (DOC)'],
  ['txt', 'Plain text'],
]) {
  test(`a .${extension} file from the picker is uploaded as ${typeName}`, async ({ adminPage, api }) => {
    const customer = await api.makeCustomer();
    const file = makeFile(`${unique('paper')}.${extension}`);
    await openUpload(adminPage, customer);
    await expect(uploadButton(adminPage)).toBeDisabled();
    await chooseFile(adminPage, file);
    await uploadButton(adminPage).click();
    await expect(adminPage).toHaveURL('/documents');
    await expect(adminPage.getByText(`"${file.name}" was uploaded.`)).toBeVisible();
    const [document] = await documentsOf(api, customer.id);
    expect(document).toMatchObject({ filename: file.name, file_size: file.buffer.length });
    await adminPage.goto(`/documents/${document?.id}`);
    await expect(adminPage.getByText(typeName ?? '', { exact: true })).toBeVisible();
  });
}

test('a file can be dragged and dropped', async ({ adminPage, api }) => {
  const customer = await api.makeCustomer();
  const file = makeFile(`${unique('dropped')}.txt`);
  await openUpload(adminPage, customer);
  await dropFiles(adminPage, [file]);
  await expect(adminPage.getByText(file.name, { exact: true })).toBeVisible();
  await uploadButton(adminPage).click();
  await expect(adminPage).toHaveURL('/documents');
  expect(await documentsOf(api, customer.id)).toMatchObject([{ filename: file.name }]);
});

test('an upload sends customer, name, description, content and type', async ({ adminPage, admin, api }) => {
  const customer = await api.makeCustomer();
  const file = makeFile(`${unique('offer')}.pdf`);
  const calls = recordCalls(adminPage, 'POST', '/api/documents');
  await openUpload(adminPage, customer);
  await chooseFile(adminPage, file);
  await adminPage.getByLabel('Description (optional)').fill('The signed copy.\nTwo pages.');
  await uploadButton(adminPage).dblclick();
  await expect(adminPage).toHaveURL('/documents');
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
});

test('after an upload the form is empty again', async ({ adminPage, api }) => {
  const file = makeFile(`${unique('once')}.txt`);
  await openUpload(adminPage, await api.makeCustomer());
  await chooseFile(adminPage, file);
  await adminPage.getByLabel('Description (optional)').fill('Words');
  await uploadButton(adminPage).click();
  await expect(adminPage).toHaveURL('/documents');
  await adminPage.getByRole('link', { name: 'Upload Document' }).click();
  await expect(customerField(adminPage)).toHaveValue('');
  await expect(adminPage.getByText('Drag and drop a file here, or')).toBeVisible();
  await expect(adminPage.getByLabel('Description (optional)')).toHaveValue('');
});

test('the picker takes .pdf, .docx, .doc and .txt', async ({ adminPage }) => {
  await openUpload(adminPage);
  const chooser = adminPage.waitForEvent('filechooser');
  await adminPage.getByRole('button', { name: 'Choose file' }).click();
  const input = (await chooser).element();
  expect(await input.getAttribute('accept')).toBe('.pdf,.docx,.doc,.txt');
});

test('the guidelines say what can be uploaded and what becomes of it', async ({ adminPage }) => {
  await openUpload(adminPage);
  await expect(adminPage.getByRole('heading', { level: 1 })).toHaveText('Upload Document');
  await expect(adminPage).toHaveTitle(/^Upload Document/);
  await expect(adminPage.getByRole('region', { name: 'Upload guidelines' }).getByRole('listitem')).toHaveText(
    [
      /PDF, DOCX, DOC, TXT/,
      /10MB/,
      /stored in cloud object storage/,
      /metadata is saved in the database/,
      /Duplicate filenames are automatically renamed like 'document \(1\)\.pdf'/,
    ],
  );
});

test('the customer is found among many by name, email and phone number', async ({ adminPage, api }) => {
  const mark = unique('Many');
  await repeat(64, (number) => api.makeCustomer({ name: `${mark} ${number}` }));
  const sought = await api.makeCustomer({
    name: unique('Žofie Zzyzx'),
    email: uniqueEmail('zofie'),
    phone_number: `+420 ${Date.now()}`,
  });
  for (const term of [sought.name, sought.email, sought.phone_number?.replace('+420 ', '')]) {
    await openUpload(adminPage);
    await customerField(adminPage).click();
    await expect(adminPage.getByRole('option').first()).toBeVisible();
    await expect(adminPage.getByRole('option', { name: sought.name })).toHaveCount(0);
    await expect(customerField(adminPage)).toHaveAccessibleDescription(
      /^The list shows 20 of \d+ customers\. Type .* to find the others\.$/,
    );
    await customerField(adminPage).fill(term ?? '');
    await expect(adminPage.getByRole('option')).toHaveText([new RegExp(sought.name)]);
    await expect(customerField(adminPage)).toHaveAccessibleDescription(/^Type .* phone number\.$/);
    await adminPage.getByRole('option', { name: sought.name }).click();
    await expect(customerField(adminPage)).toHaveValue(sought.name);
  }
  await customerField(adminPage).fill('nobody is called this');
  await expect(adminPage.getByText('No customers found', { exact: true })).toBeVisible();
});

test('a quickly typed name is searched for once, and outdated requests are cancelled', async ({
  adminPage,
  api,
}) => {
  const first = unique('Gertrude');
  await api.makeCustomer({ name: `${first} Senior` });
  await api.makeCustomer({ name: `${first} Junior` });
  await openUpload(adminPage);
  await customerField(adminPage).click();
  await expect(adminPage.getByRole('option').first()).toBeVisible();
  await typeInTwoGoes(adminPage, customerSearch, first, ' Senior');
  await expect(adminPage.getByRole('option')).toHaveText([new RegExp(`${first} Senior`)]);
});

test('while customers are searched for, those found before cannot be chosen', async ({ adminPage, api }) => {
  const sought = await api.makeCustomer({ name: unique('Zdenka') });
  await openUpload(adminPage);
  await customerField(adminPage).click();
  await expect(adminPage.getByRole('option').first()).toBeVisible();
  const { release } = await holdCalls(adminPage, '/api/customers/search');
  await customerField(adminPage).fill(sought.name);
  await expect(adminPage.getByText('Searching…', { exact: true })).toBeVisible();
  await expect(adminPage.getByRole('option')).toHaveCount(0);
  release();
  await adminPage.getByRole('option').first().click();
  await expect(customerField(adminPage)).toHaveValue(sought.name);
});

test('an unknown customer in the address selects nobody', async ({ adminPage, expectConsole }) => {
  expectConsole(failedCall);
  await adminPage.goto('/documents/upload?customer=999999999');
  await expect(customerField(adminPage)).toHaveValue('');
});

test('a duplicate name is announced before the upload, and the file saved under a free one', async ({
  adminPage,
  api,
}) => {
  const customer = await api.makeCustomer();
  await api.makeDocument(customer.id, { filename: 'Plan.txt' });
  const checks = recordCalls(adminPage, 'POST', '/api/documents/check-duplicate');
  const uploads = recordCalls(adminPage, 'POST', '/api/documents');
  await openUpload(adminPage);
  await chooseFile(adminPage, makeFile('plan.txt'));
  await customerField(adminPage).fill(customer.name);
  await expect(adminPage.getByText(/^Will be saved as/)).toHaveCount(0);
  expect(checks).toHaveLength(0);
  await adminPage.getByRole('option', { name: customer.name }).click();
  await expect(adminPage.getByText('Will be saved as: plan (1).txt', { exact: true })).toBeVisible();
  expect(checks.map((call) => call.postDataJSON())).toEqual([
    { customer_id: customer.id, filename: 'plan.txt' },
  ]);
  await uploadButton(adminPage).click();
  await expect(adminPage.getByText('"plan (1).txt" was uploaded.')).toBeVisible();
  expect(uploads[0]?.postDataJSON()).toMatchObject({ filename: 'plan (1).txt' });
  expect((await documentsOf(api, customer.id)).map(({ filename }) => filename)).toEqual([
    'plan (1).txt',
    'Plan.txt',
  ]);
});

test('a free name is not mentioned', async ({ adminPage, api }) => {
  await openUpload(adminPage, await api.makeCustomer());
  const checked = adminPage.waitForResponse('**/api/documents/check-duplicate');
  await chooseFile(adminPage, makeFile('plan.txt'));
  expect(await (await checked).json()).toEqual({ uniqueFilename: 'plan.txt', isDuplicate: false });
  await expect(adminPage.getByText('plan.txt', { exact: true })).toBeVisible();
  await expect(adminPage.getByText(/Will be saved as/)).toHaveCount(0);
});

test('an upload works when the name could not be checked', async ({ adminPage, api, expectConsole }) => {
  expectConsole(failedCall);
  const customer = await api.makeCustomer();
  await api.makeDocument(customer.id, { filename: 'plan.txt' });
  await answerCalls(adminPage, 'POST', '/api/documents/check-duplicate', failure);
  await openUpload(adminPage, customer);
  await chooseFile(adminPage, makeFile('plan.txt'));
  await uploadButton(adminPage).click();
  await expect(adminPage.getByText('"plan (1).txt" was uploaded.')).toBeVisible();
});

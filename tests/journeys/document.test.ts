import { type Document, documentTypes } from '@customer-database/contract/documents';
import type { Page } from '@playwright/test';
import { Api, makePdf, unique } from './support/api.ts';
import { answerCalls, failure, holdCalls, recordCalls } from './support/calls.ts';
import { expect, failedCall, test } from './support/test.ts';

const notFound = "The document you're looking for doesn't exist or you don't have permission to view it.";

async function makeDocument(api: Api, fields: Parameters<Api['makeDocument']>[1] = {}) {
  const customer = await api.makeCustomer();
  return { customer, document: await api.makeDocument(customer.id, fields) };
}

const fact = (page: Page, name: string) =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd');

/** For fields that this server always sends and another may not. */
async function openWith(page: Page, document: Document, changes: object): Promise<void> {
  const body = { document: { ...document, ...changes } };
  await answerCalls(page, 'GET', `/api/documents/${document.id}`, { status: 200, body });
  await page.goto(`/documents/${document.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(document.filename);
}

test('the details show everything that is known about a document', async ({ staffPage, api }) => {
  const uploader = await api.makeUser('admin', unique('Úna Uploader'));
  const { customer, document } = await makeDocument(new Api(api.url, uploader.token), {
    filename: `${unique('offer')}.pdf`,
    content: makePdf('Our offer'),
    description: 'The signed one.\nSecond line.',
  });
  await staffPage.goto(`/documents/${document.id}`);
  await expect(staffPage.getByRole('heading', { level: 1 })).toHaveText(document.filename);
  await expect(staffPage).toHaveTitle(new RegExp(`^${document.filename}`));
  await expect(fact(staffPage, 'Description')).toHaveText('The signed one. Second line.');
  const uploadedAt = new Date(document.uploaded_at).toLocaleString('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Europe/Berlin',
  });
  await expect(fact(staffPage, 'Uploaded')).toHaveText(uploadedAt);
  await expect(fact(staffPage, 'Uploaded').getByRole('time')).toHaveAttribute('title', /\d{2}:\d{2}:\d{2}/);
  await expect(fact(staffPage, 'File size')).toHaveText(`${document.file_size} Bytes`);
  await expect(fact(staffPage, 'Uploaded by')).toHaveText(uploader.user.name ?? '');
  await expect(fact(staffPage, 'File type')).toHaveText('PDF document');
  await fact(staffPage, 'Customer').getByRole('link', { name: customer.name }).click();
  await expect(staffPage).toHaveURL(`/customers/${customer.id}`);
});

test('a notice says that access is logged and that links expire after 15 minutes', async ({
  staffPage,
  api,
}) => {
  const { document } = await makeDocument(api);
  await staffPage.goto(`/documents/${document.id}`);
  await expect(staffPage.getByText('Security notice', { exact: true })).toBeVisible();
  await expect(
    staffPage.getByText('Access to this document is logged. Download links expire after 15 minutes.', {
      exact: true,
    }),
  ).toBeVisible();
});

test('missing fields are left out, and an unknown uploader is Unknown', async ({ staffPage, api }) => {
  const { document } = await makeDocument(api);
  const unknown = { uploaded_by_name: null, customer_name: null, file_size: null, protected: undefined };
  await openWith(staffPage, document, unknown);
  await expect(fact(staffPage, 'Uploaded by')).toHaveText('Unknown');
  await expect(fact(staffPage, 'File size')).toHaveText('Unknown size');
  await expect(fact(staffPage, 'Customer')).toHaveCount(0);
  await expect(fact(staffPage, 'Description')).toHaveCount(0);
  await expect(fact(staffPage, 'File type')).toHaveText('Plain text');
});

test('the details say what became of the text', async ({ staffPage, api }) => {
  const content = Buffer.from('The delivery takes place in the first week of the following month.');
  const { document } = await makeDocument(api, { content });
  await expect.poll(() => api.textStateOf(document.id)).toBe('ready');
  await staffPage.goto(`/documents/${document.id}`);
  await expect(fact(staffPage, 'Text')).toHaveText('1 page, English');
  const read = { reason: null, page_count: null, language: null };
  for (const [state, text] of [
    ['waiting', 'Text not read yet'],
    ['none', 'No text found'],
    ['protected', 'Protected with a password'],
  ]) {
    await openWith(staffPage, document, { text: { ...read, state } });
    await expect(fact(staffPage, 'Text')).toHaveText(text ?? '');
  }
  const failed = { ...read, state: 'failed', reason: 'it took too long to read' };
  await openWith(staffPage, document, { text: failed });
  await expect(fact(staffPage, 'Text')).toHaveText('Text could not be read: it took too long to read');
});

test('a document that asks for a password says so', async ({ staffPage, api }) => {
  const { document } = await makeDocument(api);
  await openWith(staffPage, document, { mime_type: documentTypes['.docx'], protected: true });
  await expect(fact(staffPage, 'File type')).toHaveText('Word document (DOCX), protected with a password');
});

const sizes = [
  [0, '0 Bytes'],
  [1023, '1,023 Bytes'],
  [1024, '1 KB'],
  [1_400_000, '1.34 MB'],
  [10 * 1024 ** 2, '10 MB'],
  [3 * 1024 ** 3, '3 GB'],
  [null, 'Unknown size'],
] as const;

test('sizes are shown in Bytes, KB, MB or GB, and an absent one as Unknown size', async ({
  staffPage,
  api,
}) => {
  const { document } = await makeDocument(api);
  const documents = sizes.map(([file_size], id) => ({ ...document, id, file_size }));
  const body = { documents, count: sizes.length, total: sizes.length, totalPages: 1 };
  await answerCalls(staffPage, 'GET', '/api/documents', { status: 200, body });
  await staffPage.goto('/documents/all');
  const rows = staffPage.getByRole('row');
  await expect(rows).toHaveCount(sizes.length + 1);
  for (const [index, [, text]] of sizes.entries()) {
    await expect(
      rows
        .nth(index + 1)
        .getByRole('cell')
        .nth(2),
    ).toHaveText(text);
  }
});

test('a spinner shows while the document is loading', async ({ staffPage, api }) => {
  const { document } = await makeDocument(api);
  const { release } = await holdCalls(staffPage, `/api/documents/${document.id}`);
  await staffPage.goto(`/documents/${document.id}`);
  const spinner = staffPage.getByRole('status').filter({ hasText: 'Loading document' });
  await expect(spinner).toBeVisible();
  release();
  await expect(staffPage.getByRole('heading', { level: 1 })).toHaveText(document.filename);
  await expect(spinner).toHaveCount(0);
});

for (const address of ['/documents/999999999', '/documents/no-number']) {
  test(`${address} is not found, and leads back to all documents`, async ({ staffPage, expectConsole }) => {
    expectConsole(failedCall);
    await staffPage.goto(address);
    await expect(staffPage.getByRole('heading', { level: 1 })).toHaveText('Document not found');
    await expect(staffPage).toHaveTitle(/^Document not found/);
    await expect(staffPage.getByText(notFound, { exact: true })).toBeVisible();
    await staffPage.getByRole('link', { name: 'Back to Documents' }).click();
    await expect(staffPage).toHaveURL('/documents/all');
  });
}

for (const [why, answer] of [
  ['fails', failure],
  ['does not answer', 'no answer'],
] as const) {
  test(`where the server ${why} the document is not found either, but it can be retried`, async ({
    staffPage,
    api,
    expectConsole,
  }) => {
    expectConsole(failedCall);
    const { document } = await makeDocument(api);
    const path = `/api/documents/${document.id}`;
    const calls = recordCalls(staffPage, 'GET', path);
    const { restore } = await answerCalls(staffPage, 'GET', path, answer);
    await staffPage.goto(`/documents/${document.id}`);
    const alert = staffPage.getByRole('alert');
    await expect(alert).toContainText('The document could not be loaded.');
    await expect(staffPage.getByRole('heading', { level: 1 })).toHaveText('Document not found');
    expect(calls).toHaveLength(2);
    await restore();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(staffPage.getByRole('heading', { level: 1 })).toHaveText(document.filename);
  });
}

test('everybody may view and download, only admins may delete', async ({ adminPage, staffPage, api }) => {
  const { document } = await makeDocument(api);
  for (const page of [adminPage, staffPage]) {
    await page.goto(`/documents/${document.id}`);
    await expect(page.getByRole('button', { name: 'View in Browser', exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Download', exact: true })).toBeVisible();
  }
  await expect(adminPage.getByRole('button', { name: 'Delete', exact: true })).toBeVisible();
  await expect(staffPage.getByRole('button', { name: /^Delete/ })).toHaveCount(0);
});

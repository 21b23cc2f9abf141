import { type Document, documentTypes } from '@customer-database/contract/documents';
import type { Page } from '@playwright/test';
import { Api, makePdf, unique } from './support/api.ts';
import { answerCalls, holdCalls } from './support/calls.ts';

import { expect, test } from './support/test.ts';

test.use({ callsMayFail: true });

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const fact = (page: Page, name: string) =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd');

async function makeDocument(api: Api, fields: Parameters<Api['makeDocument']>[1] = {}) {
  const customer = await api.makeCustomer();
  return { customer, document: await api.makeDocument(customer.id, fields) };
}

/** For fields that this server always sends and another may not. */
async function openWith(page: Page, document: Document, changes: object): Promise<void> {
  const body = { document: { ...document, ...changes } };
  const path = `/api/documents/${document.id}`;
  const { restore } = await answerCalls(page, 'GET', path, { status: 200, body });
  await page.goto(`/documents/${document.id}`);
  await expect(heading(page)).toHaveText(document.filename);
  await restore();
}

test('the details show everything that is known about a document', async ({ staffPage: page, api }) => {
  const uploader = await api.makeUser('admin', unique('Úna Uploader'));
  const { customer, document } = await makeDocument(new Api(api.url, uploader.token), {
    filename: `${unique('offer')}.pdf`,
    content: makePdf('The delivery takes place in the first week of the following month.'),
    description: 'The signed one.\nSecond line.',
  });
  await api.waitForText(document.id);
  const held = await holdCalls(page, `/api/documents/${document.id}`);
  await page.goto(`/documents/${document.id}`);
  const spinner = page.getByRole('status').filter({ hasText: 'Loading document' });
  await expect(spinner).toBeVisible();
  held.release();
  await expect(heading(page)).toHaveText(document.filename);
  await expect(spinner).toHaveCount(0);
  const uploadedAt = new Date(document.uploaded_at).toLocaleString('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Europe/Berlin',
  });
  for (const [name, text] of [
    ['Description', 'The signed one. Second line.'],
    ['Uploaded', uploadedAt],
    ['File size', `${document.file_size} Bytes`],
    ['Uploaded by', uploader.user.name ?? ''],
    ['File type', 'PDF document'],
    ['Text', '1 page, English'],
  ] as const) {
    await expect(fact(page, name)).toHaveText(text);
  }
  await expect(fact(page, 'Uploaded').getByRole('time')).toHaveAttribute('title', /\d{2}:\d{2}:\d{2}/);
  await expect(page.getByText('Security notice', { exact: true })).toBeVisible();
  const notice = 'Access to this document is logged. Download links expire after 15 minutes.';
  await expect(page.getByText(notice, { exact: true })).toBeVisible();
  await fact(page, 'Customer').getByRole('link', { name: customer.name }).click();
  await expect(page).toHaveURL(`/customers/${customer.id}`);
});

test('what is missing is left out or Unknown', async ({ staffPage: page, api }) => {
  const { document } = await makeDocument(api);
  const unknown = { uploaded_by_name: null, customer_name: null, file_size: null, protected: undefined };
  await openWith(page, document, unknown);
  await expect(fact(page, 'Uploaded by')).toHaveText('Unknown');
  await expect(fact(page, 'File size')).toHaveText('Unknown size');
  await expect(fact(page, 'Customer')).toHaveCount(0);
  await expect(fact(page, 'Description')).toHaveCount(0);
  await expect(fact(page, 'File type')).toHaveText('Plain text');
  const read = { reason: null, page_count: null, language: null };
  for (const [text, shown] of [
    [
      { ...read, state: 'failed', reason: 'it took too long to read' },
      'Text could not be read: it took too long to read',
    ],
    [{ ...read, state: 'protected' }, 'Protected with a password'],
  ] as const) {
    await openWith(page, document, { text, mime_type: documentTypes['.docx'], protected: true });
    await expect(fact(page, 'Text')).toHaveText(shown);
  }
  await expect(fact(page, 'File type')).toHaveText('Word document (DOCX), protected with a password');
});

test('a document that does not exist is not found', async ({ adminPage: page }) => {
  const text = "The document you're looking for doesn't exist or you don't have permission to view it.";
  for (const address of ['/documents/999999999', '/documents/no-number', '/documents/no-number/edit']) {
    await page.goto(address);
    await expect(heading(page)).toHaveText('Document not found');
    await expect(page).toHaveTitle(/^Document not found/);
    await expect(page.getByText(text, { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Back to Documents' }).click();
    await expect(page).toHaveURL('/documents/all');
  }
});

import { protectedPdf } from '@customer-database/testkit/pdf-builder';
import { samples } from '@customer-database/testkit/samples';
import { makePdf } from './support/api.ts';
import { answerCalls, failure, recordCalls } from './support/calls.ts';
import { expectScreen } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { makeDocument, openDocument, pdfPage, shownText, tool, viewer } from './support/viewer.ts';

test.use({ callsMayFail: true });

test('each opening fetches the document once, whatever is done with it', async ({ staffPage: page, api }) => {
  const document = await makeDocument(api, 'once.pdf', makePdf('Only once'));
  const links = recordCalls(page, 'GET', `/api/documents/${document.id}/view`);
  const contents = recordCalls(page, 'GET', `/api/documents/${document.id}/content`);
  await openDocument(page, document);
  await expect(pdfPage(page, 1).locator('.textLayer')).toContainText('Only once');
  for (const name of ['Rotate', 'Zoom in', 'Fit width', 'Full screen']) await tool(page, name).click();
  await tool(page, 'Leave full screen').click();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(pdfPage(page, 1).locator('.textLayer')).toContainText('Only once');
  expect([links.length, contents.length]).toEqual([1, 1]);
  await page.goto('/documents/all');
  await expectScreen(page, 'All Documents');
  await page.goBack();
  await expect(pdfPage(page, 1).locator('.textLayer')).toContainText('Only once');
  expect([links.length, contents.length]).toEqual([2, 2]);
});

test('an expired link is renewed; another failure can be retried', async ({ staffPage: page, api }) => {
  const document = await makeDocument(api, 'late.pdf', makePdf('Better late'));
  const links = recordCalls(page, 'GET', `/api/documents/${document.id}/view`);
  const expired = { error: 'This link has expired or is not valid.', code: 'LINK_INVALID' };
  await page.route('**/content?*', (route) => route.fulfill({ status: 403, json: expired }), { times: 1 });
  await openDocument(page, document);
  await expect(pdfPage(page, 1).locator('.textLayer')).toContainText('Better late');
  expect(links).toHaveLength(2);
  const path = `/api/documents/${document.id}/content`;
  const { restore } = await answerCalls(page, 'GET', path, failure);
  await page.reload();
  await expect(viewer(page).getByText('The document could not be loaded.')).toBeVisible();
  await expect(viewer(page).getByRole('button', { name: 'Download the file' })).toBeVisible();
  await restore();
  await viewer(page).getByRole('button', { name: 'Try again' }).click();
  await expect(pdfPage(page, 1).locator('.textLayer')).toContainText('Better late');
});

test('a protected and a damaged document say why they are not shown', async ({ staffPage: page, api }) => {
  const locked = await makeDocument(api, 'locked.pdf', protectedPdf());
  const cut = await makeDocument(api, 'cut.pdf', samples.pdf.subarray(0, 200));
  const broken = await makeDocument(api, 'broken.docx', samples.docx);
  await page.route(`**/api/documents/${broken.id}/content?*`, (route) =>
    route.fulfill({ body: 'PK broken' }),
  );
  for (const [document, reason] of [
    [locked, 'Protected with a password'],
    [cut, 'This PDF is damaged and cannot be shown.'],
    [broken, 'This document is damaged and cannot be shown.'],
  ] as const) {
    await openDocument(page, document);
    await expect(viewer(page).getByText(reason, { exact: true })).toBeVisible();
    const saved = page.waitForEvent('download');
    await viewer(page).getByRole('button', { name: 'Download the file' }).click();
    expect((await saved).suggestedFilename()).toBe(document.filename);
  }
});

test('a text that is not read yet is waited for', async ({ staffPage: page, api }) => {
  const document = await makeDocument(api, 'soon.txt', Buffer.from('Worth the wait'));
  await api.waitForText(document.id);
  const path = `/api/documents/${document.id}/text`;
  const facts = { reason: null, page_count: null, language: null };
  const nothing = { pages: [], count: 0, total: 0, totalPages: 0 };
  const answer = (state: string) => ({ status: 200, body: { ...facts, ...nothing, state } });
  const { restore } = await answerCalls(page, 'GET', path, answer('waiting'));
  await openDocument(page, document);
  await expect(viewer(page).getByText('Text not read yet')).toBeVisible();
  await restore();
  await expect(shownText(page)).toHaveText('Worth the wait');
  await answerCalls(page, 'GET', path, answer('none'));
  await page.reload();
  await expect(viewer(page).getByText('No text found')).toBeVisible();
});

test('a server that knows neither texts nor hits still shows a PDF', async ({ staffPage: page, api }) => {
  const document = await makeDocument(api, 'plain.pdf', makePdf('Plain words'));
  const { customer_id: _, protected: __, ...known } = document;
  const path = `/api/documents/${document.id}`;
  await answerCalls(page, 'GET', path, { status: 200, body: { document: known } });
  await answerCalls(page, 'GET', `${path}/hits`, { status: 404, body: {} });
  await openDocument(page, document, '?page=1&q=plain');
  await expect(pdfPage(page, 1).locator('.highlight')).toHaveText('Plain');
});

import type { Document } from '@customer-database/contract/documents';
import { pdfOf, textPage } from '@customer-database/testkit/pdf-builder';
import type { Page } from '@playwright/test';
import { expect, test } from './support/test.ts';
import {
  makeDocument,
  marks,
  openDocument,
  pageField,
  pdfPage,
  shownText,
  tool,
  viewer,
  viewLink,
  wordFrame,
} from './support/viewer.ts';
import { paragraph, section, wordFile } from './support/word-files.ts';

/*
 * The server of the journeys makes no previews (server/test/documents/previews.test.ts does), so its answers are
 * changed: the state of the preview, and the preview itself.
 */

const pdf = pdfOf(
  ['Nothing but blanterns', 'The lantern and the Lanterns', 'One more lantern'].map((line) => textPage(line)),
);

type Server = { preview: 'none' | 'waiting' | 'ready'; isMissing?: boolean };

async function withPreview(page: Page, { id }: Document, server: Server): Promise<string[]> {
  const fetched: string[] = [];
  for (const path of [`**/api/documents/${id}`, `**/api/documents/${id}/content/details?*`]) {
    await page.route(path, async (route) => {
      const response = await route.fetch();
      const { document } = await response.json();
      await route.fulfill({ response, json: { document: { ...document, preview: server.preview } } });
    });
  }
  await page.route(`**/api/documents/${id}/content?*`, async (route) => {
    const address = new URL(route.request().url());
    if (route.request().resourceType() === 'document') return route.continue();
    fetched.push(address.searchParams.get('as') ?? 'document');
    if (address.searchParams.get('as') !== 'preview') return route.continue();
    if (server.isMissing) {
      return route.fulfill({
        status: 404,
        json: { error: 'This document has no preview', code: 'NOT_FOUND' },
      });
    }
    return route.fulfill({ contentType: 'application/pdf', body: pdf });
  });
  return fetched;
}

const simplified = (page: Page) => viewer(page).getByText('Simplified view');
const letter = wordFile(paragraph('The letter as it is drawn') + section());

test.use({ callsMayFail: true });

test('a DOCX with a preview is shown as the PDF, with its tools and its hits', async ({
  staffPage: page,
  api,
}) => {
  const document = await makeDocument(api, 'letter.docx', wordFile(paragraph('The lantern') + section()));
  await api.waitForText(document.id);
  const fetched = await withPreview(page, document, { preview: 'ready' });
  // The page of the search is one of the extracted text, not of the preview.
  await openDocument(page, document, '?page=7&q=lantern');
  await expect(viewer(page).getByText('Hit 1 of 3')).toBeVisible();
  await expect(pageField(page)).toHaveValue('2');
  await expect(pdfPage(page, 2).locator('.highlight')).toHaveText(['lantern', 'Lanterns']);
  await expect(simplified(page)).toHaveCount(0);
  await tool(page, 'Previous hit').click();
  await expect(viewer(page).getByText('Hit 3 of 3')).toBeVisible();
  await expect(pageField(page)).toHaveValue('3');
  await tool(page, 'Next hit').click();
  await expect(viewer(page).getByText('Hit 1 of 3')).toBeVisible();

  await tool(page, 'Find').click();
  await page.keyboard.type('blanterns');
  await expect(viewer(page).getByText('1 of 1', { exact: true })).toBeVisible();
  await expect(pageField(page)).toHaveValue('1');
  await page.keyboard.press('Escape');
  await expect(viewer(page).getByText(/^Hit \d of 3$/)).toBeVisible();
  await expect(viewer(page).getByText('of 3', { exact: true })).toBeVisible();
  await expect(tool(page, 'Print')).toBeEnabled();
  // One look is one view.
  expect(fetched).toEqual(['preview']);

  const link = await viewLink(api, document);
  await page.goto(link);
  await expect(pdfPage(page, 1)).toContainText('Nothing but blanterns');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('letter.docx');
  expect(fetched).toEqual(['preview', 'preview', 'attachment']);
});

test('a document whose preview is being made is simplified until the reader asks for the other', async ({
  staffPage: page,
  api,
}) => {
  const rtf = Buffer.from('{\\rtf1 The note as text}');
  for (const document of [
    await makeDocument(api, 'letter.docx', letter),
    await makeDocument(api, 'note.doc', rtf),
  ]) {
    await api.waitForText(document.id);
    const server: Server = { preview: 'waiting' };
    await withPreview(page, document, server);
    await openDocument(page, document);
    await expect(simplified(page)).toHaveText('Simplified view; the exact layout is being prepared');
    const drawn = document.filename.endsWith('.docx') ? wordFrame(page).locator('body') : shownText(page);
    await expect(drawn).toContainText(/as (it is drawn|text)/);
    server.preview = 'ready';
    await viewer(page).getByRole('button', { name: 'show the exact layout' }).click();
    await expect(pdfPage(page, 1)).toContainText('Nothing but blanterns');
    await expect(simplified(page)).toHaveCount(0);
    await expect(marks(page)).toHaveCount(0);
  }
});

test('a preview that is gone, or will not come, leaves the simplified view', async ({
  staffPage: page,
  api,
}) => {
  const gone = await makeDocument(api, 'gone.docx', letter);
  await withPreview(page, gone, { preview: 'ready', isMissing: true });
  await openDocument(page, gone);
  await expect(simplified(page)).toHaveText('Simplified view; download for the exact layout');
  await expect(wordFrame(page).locator('body')).toContainText('as it is drawn');

  const failing = await makeDocument(api, 'failing.docx', letter);
  const server: Server = { preview: 'waiting' };
  await withPreview(page, failing, server);
  await openDocument(page, failing);
  await expect(simplified(page)).toHaveText('Simplified view; the exact layout is being prepared');
  server.preview = 'none';
  await expect(simplified(page)).toHaveText('Simplified view; download for the exact layout');
});

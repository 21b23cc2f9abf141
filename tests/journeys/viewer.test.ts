import type { ActivityResponse } from '@customer-database/contract/activity-response';
import { type PdfPage, pdfOf, textPage } from '@customer-database/testkit/pdf-builder';
import { samples } from '@customer-database/testkit/samples';
import type { Page } from '@playwright/test';
import { makePdf } from './support/api.ts';
import { recordCalls } from './support/calls.ts';
import { checkFits } from './support/look.ts';
import { signInAs } from './support/session.ts';
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

test.use({ callsMayFail: true });

const shown = [
  ['PDF', 'invoice.pdf', samples.pdf, (page: Page) => pdfPage(page, 1).locator('.textLayer'), /Invoice/],
  ['DOCX', 'offer.docx', samples.docx, (page: Page) => wordFrame(page).locator('body'), /Offer/],
  ['DOC', 'letter.doc', samples.doc, shownText, /Northlake/],
] as const;

for (const [type, filename, content, where, words] of shown) {
  test(`a ${type} is shown by its link, on its page and on a phone`, async ({ page, staffPage, api }) => {
    const document = await makeDocument(api, filename, content);
    await api.waitForText(document.id);
    const others: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      const isOfLink = pathname.startsWith(`/api/documents/${document.id}/content`);
      if (pathname.startsWith('/api/') && !isOfLink) others.push(pathname);
      if (request.headers().referer) others.push(`${pathname} with a referrer`);
    });
    await page.goto(`${await viewLink(api, document)}#page=1&q=kite`);
    await expect(where(page)).toContainText(words);
    const { activity } = await api.get<ActivityResponse>(`/api/activity?document_id=${document.id}`);
    expect(activity.map(({ action }) => action)).toEqual([
      'document.viewed',
      'document.link_issued',
      'document.uploaded',
    ]);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    expect((await saved).suggestedFilename()).toBe(document.filename);
    expect(others).toEqual([]);
    await expect(page).toHaveURL(/\/content\?/);

    await openDocument(staffPage, document);
    await expect(where(staffPage)).toContainText(words);
    await staffPage.setViewportSize({ width: 390, height: 844 });
    await expect(where(staffPage)).toContainText(words);
    await checkFits(staffPage, type);
    await expect(viewer(staffPage).getByRole('alert')).toHaveCount(0);
  });
}

/** A black square, packed as fax machines and many scanners do: white rows, and colours the other way round. */
const fax: PdfPage = {
  content: Buffer.from('400 0 0 400 100 200 cm /Fax Do'),
  resources: '/XObject << /Fax OBJECT >>',
  objects: [
    Buffer.from(
      '<< /Type /XObject /Subtype /Image /Width 16 /Height 16 /ColorSpace /DeviceGray /BitsPerComponent 1 ' +
        '/Decode [1 0] /Filter [/ASCIIHexDecode /CCITTFaxDecode] ' +
        '/DecodeParms [null << /K -1 /Columns 16 /Rows 16 >>] /Length 11 >> stream\nFFFF001001>\nendstream',
    ),
  ],
};

test('pictures that PDF.js decodes with WASM are drawn without it', async ({ staffPage: page, api }) => {
  const document = await makeDocument(api, 'fax.pdf', pdfOf([fax]));
  await openDocument(page, document);
  const middle = () =>
    pdfPage(page, 1)
      .locator('canvas')
      .evaluate((canvas: HTMLCanvasElement) => {
        const { width, height } = canvas;
        return [...(canvas.getContext('2d')?.getImageData(width / 2, height / 2, 1, 1).data ?? [])];
      });
  await expect.poll(middle).toEqual([0, 0, 0, 255]);
});

test('of 500 pages only those in view are drawn', async ({ staffPage: page, api }) => {
  const pages = Array.from({ length: 500 }, (_, index) => textPage(`This is page number ${index + 1}`));
  const document = await makeDocument(api, 'long.pdf', pdfOf(pages));
  await page.setViewportSize({ width: 1600, height: 900 });
  await openDocument(page, document);
  await expect(pdfPage(page, 1).locator('.textLayer')).toContainText('page number 1');
  await expect(viewer(page).getByText('of 500')).toBeVisible();
  await pageField(page).fill('400');
  await pageField(page).press('Enter');
  await expect(pdfPage(page, 400).locator('.textLayer')).toContainText('page number 400');
  await expect(pdfPage(page, 400)).toBeInViewport();
  await expect(viewer(page).getByRole('button', { name: 'Page 400' })).toBeInViewport();
  expect(await viewer(page).locator('canvas').count()).toBeLessThan(40);
  await viewer(page).getByRole('button', { name: 'Page 402' }).click();
  await expect(pageField(page)).toHaveValue('402');
});

test('a long text comes in batches', async ({ staffPage: page, api }) => {
  test.slow();
  const line = (number: number) => `Line ${number} ${'of a long text '.repeat(12)}\n`;
  const content = Buffer.from(Array.from({ length: 4_000 }, (_, index) => line(index + 1)).join(''));
  const document = await makeDocument(api, 'long.txt', content);
  await api.waitForText(document.id);
  const calls = recordCalls(page, 'GET', `/api/documents/${document.id}/text`);
  await openDocument(page, document);
  await expect(shownText(page)).toContainText('Line 1 of');
  expect(calls).toHaveLength(1);
  await shownText(page).press('End');
  await expect(shownText(page)).toContainText('Line 4000 of');
  await page.goto(`/documents/${document.id}?page=230`);
  await expect(shownText(page).locator('[data-page="230"]')).toBeInViewport();
  await tool(page, 'Show earlier pages').click();
  await expect(shownText(page)).toContainText('Line 1 of');
  await page.goto(`${await viewLink(api, document)}#page=1&q=text`);
  await tool(page, 'Next page with hits').click();
  await expect(page).toHaveURL(/content\?.*#page=2&q=text$/);
  await expect(shownText(page).locator('[data-page="2"] mark').first()).toBeInViewport();
});

test('the keyboard finds, turns, zooms and leads to the next one', async ({ staffPage: page, api }) => {
  const { id } = await api.makeCustomer();
  const older = await api.makeDocument(id, { filename: 'older.pdf', content: makePdf('The older one') });
  const content = pdfOf([textPage('A needle here'), textPage('Needles there')]);
  const newer = await api.makeDocument(id, { filename: 'newer.pdf', content });
  await openDocument(page, newer);
  await expect(pdfPage(page, 1).locator('.textLayer')).toContainText('needle');
  const height = async () => (await pdfPage(page, 1).boundingBox())?.height ?? 0;
  const upright = await height();
  // Only while the focus is in the viewer.
  await page.keyboard.press('r');
  await viewer(page).getByRole('region', { name: 'Pages' }).focus();
  await page.keyboard.press('r');
  await expect.poll(height).toBeLessThan(upright);
  const turned = await height();
  await page.keyboard.press('+');
  await expect.poll(height).toBeGreaterThan(turned);
  await page.keyboard.press('-');
  await page.keyboard.press('Control+f');
  const box = viewer(page).getByRole('textbox', { name: 'Find in document' });
  await expect(box).toBeFocused();
  // No shortcuts while the user types.
  await page.keyboard.type('needle');
  await expect(viewer(page).getByText('1 of 2', { exact: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(viewer(page).getByText('2 of 2', { exact: true })).toBeVisible();
  await expect(pageField(page)).toHaveValue('2');
  await page.keyboard.press('Shift+Enter');
  await expect(viewer(page).getByText('1 of 2', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(box).toHaveCount(0);
  await expect(marks(page)).toHaveCount(0);

  await expect(tool(page, 'Previous document')).toBeDisabled();
  await expect(tool(page, 'Next document')).toHaveAttribute('title', 'Next document: older.pdf (j)');
  await page.keyboard.press('j');
  await expect(page).toHaveURL(`/documents/${older.id}`);
  await expect(pdfPage(page, 1).locator('.textLayer')).toContainText('The older one');
  await page.keyboard.press('k');
  await expect(page).toHaveURL(`/documents/${newer.id}`);
});

test('an expired link leads to the document by way of the sign-in', async ({ page, staff, api }) => {
  const document = await makeDocument(api, 'late.pdf', makePdf('Too late'));
  const dead = (await viewLink(api, document)).replace('signature=', 'signature=x');
  const answer = await page.goto(dead);
  expect(answer?.status()).toBe(403);
  await expect(page.getByText(/^This link has expired or is not valid\./)).toBeVisible();
  await page.getByRole('link', { name: 'Open the document' }).click();
  await expect(page).toHaveURL('/login');
  await signInAs(page, staff);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(document.filename);
});

import type { DocumentHitsResponse } from '@customer-database/contract/search';
import { pdfOf, scannedPage, textPage } from '@customer-database/testkit/pdf-builder';
import { samples } from '@customer-database/testkit/samples';
import { makePdf } from './support/api.ts';
import { expectScreen } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import {
  makeDocument,
  marks,
  openDocument,
  pageField,
  pdfPage,
  tool,
  viewer,
  wordFrame,
} from './support/viewer.ts';

// Reading a document waits for others that were uploaded before.
test.slow();

test('a word on the second page of a scan is found and marked', async ({ staffPage: page, api }) => {
  const scan = async (line: string) => scannedPage(makePdf(line));
  const pages = [
    await scan('Nothing of interest on this page'),
    await scan('The marmalade is in the cellar'),
  ];
  const document = await makeDocument(api, 'scan.pdf', pdfOf(pages));
  const path = `/api/documents/${document.id}/hits?q=marmalade`;
  const pagesFound = async () => (await api.get<DocumentHitsResponse>(path)).pages.map((hit) => hit.page);
  await expect.poll(pagesFound, { timeout: 180_000 }).toEqual([2]);
  await page.goto('/dashboard');
  await expectScreen(page, 'Dashboard');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Quick search' })).toBeFocused();
  await page.keyboard.type('marmalade');
  await expect(page.getByRole('option', { name: 'scan.pdf' }).locator('mark')).toHaveText('marmalade');
  await page.keyboard.press('Enter');
  await expectScreen(page, 'scan.pdf');
  await expect(pageField(page)).toHaveValue('2');
  const mark = pdfPage(page, 2).locator('mark');
  await expect(mark).toBeInViewport();
  await expect(viewer(page).getByText('1 page with hits')).toBeVisible();

  // The mark stays on its word: in the first line on the left, or on the right when the page is turned.
  const place = async () => {
    // Of both at once, and again if the page is just drawn anew and has no mark.
    const boxes = await page.waitForFunction(
      (paper) => {
        const word = paper?.querySelector('mark')?.getBoundingClientRect();
        const whole = paper?.getBoundingClientRect();
        return word && whole && { x: (word.x - whole.x) / whole.width, y: (word.y - whole.y) / whole.height };
      },
      await pdfPage(page, 2).elementHandle(),
    );
    return boxes.jsonValue() as Promise<{ x: number; y: number }>;
  };
  const before = await place();
  await tool(page, 'Zoom in').click();
  await expect.poll(async () => (await place()).x).toBeCloseTo(before.x, 2);
  await tool(page, 'Rotate').click();
  await expect.poll(async () => (await place()).y).toBeCloseTo(before.x, 2);
  expect((await place()).x).toBeGreaterThan(0.8);
});

test('hits are marked in a PDF, a text and a DOCX', async ({ staffPage: page, api }) => {
  const lines = [
    'Nothing but blanterns',
    'The lantern and the Lanterns',
    'Nothing',
    'One more lantern, no blanterns',
  ];
  const pdf = await makeDocument(api, 'light.pdf', pdfOf(lines.map((line) => textPage(line))));
  await api.waitForText(pdf.id);
  await openDocument(page, pdf, '?page=2&q=lantern');
  await expect(pageField(page)).toHaveValue('2');
  await expect(pdfPage(page, 2).locator('.highlight')).toHaveText(['lantern', 'Lanterns']);
  await expect(viewer(page).getByText('2 pages with hits')).toBeVisible();
  await expect(pdfPage(page, 1).locator('.highlight')).toHaveCount(0);
  await expect(tool(page, 'Previous page with hits')).toBeDisabled();
  await tool(page, 'Next page with hits').click();
  await expect(pageField(page)).toHaveValue('4');
  await expect(pdfPage(page, 4).locator('.highlight')).toHaveText('lantern');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'View in Browser' }).click();
  const tab = await opened;
  await expect(tab).toHaveURL(/\/content\?.*#page=2&q=lantern$/);
  await expect(pdfPage(tab, 2).locator('.highlight').first()).toHaveText('lantern');
  await expect(tab.getByRole('navigation', { name: 'Main' })).toHaveCount(0);
  await tab.close();

  const long = `No blanterns.\n${'Much to read before it.\n'.repeat(300)}The lantern is here.\n`;
  const txt = await makeDocument(api, 'light.txt', Buffer.from(long));
  await api.waitForText(txt.id);
  const { pages } = await api.get<DocumentHitsResponse>(`/api/documents/${txt.id}/hits?q=lantern`);
  await openDocument(page, txt, `?page=${pages[0]?.page}&q=lantern`);
  await expect(marks(page)).toHaveText('lantern');
  await expect(marks(page)).toBeInViewport();

  const inside = await makeDocument(api, 'inside.txt', Buffer.from('Only blanterns are here.'));
  await api.waitForText(inside.id);
  await openDocument(page, inside, '?page=1&q=lantern');
  await expect(marks(page)).toHaveText('blanterns');

  const docx = await makeDocument(api, 'offer.docx', samples.docx);
  await openDocument(page, docx, '?page=1&q=northlake');
  await expect(wordFrame(page).locator('body')).toContainText('Northlake');
  const marked = () =>
    wordFrame(page)
      .locator('body')
      .evaluate(({ ownerDocument }) => {
        const own = ownerDocument.defaultView as (Window & typeof globalThis) | null;
        return [...(own?.CSS.highlights.get('hit') ?? [])].map(String);
      });
  await expect.poll(marked).toContain('Northlake');
});

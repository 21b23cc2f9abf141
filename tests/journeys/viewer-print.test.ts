import { pdfOf, textPage } from '@customer-database/testkit/pdf-builder';
import { samples } from '@customer-database/testkit/samples';
import type { Page } from '@playwright/test';
import { expect, test } from './support/test.ts';
import { makeDocument, openDocument, pdfPage, shownText, tool, viewer, wordFrame } from './support/viewer.ts';
import { paragraph, section, wordFile, wordsBreak } from './support/word-files.ts';

type Printed = { text: string; pictures: number[][]; sizes: string[]; sandbox: string; policy: string };

/** In place of the dialog, keeps what would be printed. */
async function keepPrinted(page: Page): Promise<() => Promise<Printed[]>> {
  await page.evaluate(() => {
    const kept: unknown[] = [];
    Object.assign(window, { kept });
    const onLoad = ({ target }: Event) => {
      if (!(target instanceof HTMLIFrameElement) || target.title !== 'Print') return;
      const { contentDocument: sheet, contentWindow: view } = target;
      if (!sheet || !view) return;
      view.print = () => {
        const styles = [...sheet.querySelectorAll('style')];
        kept.push({
          text: sheet.body.innerText,
          pictures: [...sheet.images].map((image) => [image.naturalWidth, image.naturalHeight]),
          sizes: styles.flatMap((style) => style.textContent.match(/size: [^;]+/g) ?? []),
          sandbox: target.getAttribute('sandbox'),
          policy: sheet.querySelector('meta[http-equiv]')?.getAttribute('content'),
        });
        view.dispatchEvent(new Event('afterprint'));
      };
    };
    document.addEventListener('load', onLoad, { capture: true });
  });
  return () => page.evaluate(() => (window as unknown as { kept: Printed[] }).kept);
}

const expectHarmless = ({ sandbox, policy }: Printed) => {
  expect(sandbox).not.toContain('allow-scripts');
  expect(policy).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; img-src data:$/);
};

const printFrame = (page: Page) => page.locator('iframe[title="Print"]');

test('a PDF, a DOCX and a text are printed as a whole', async ({ staffPage: page, api }) => {
  const pages = [textPage('One'), textPage('Two'), textPage('Three')];
  const pdf = await makeDocument(api, 'print.pdf', pdfOf(pages));
  await openDocument(page, pdf);
  const printed = await keepPrinted(page);
  await expect(pdfPage(page, 1).locator('.textLayer')).toContainText('One');
  await viewer(page).getByRole('region', { name: 'Pages' }).focus();
  await page.keyboard.press('Control+p');
  await expect.poll(async () => (await printed()).length).toBe(1);
  const [ofPdf] = await printed();
  if (!ofPdf) return;
  expectHarmless(ofPdf);
  // More than 150 dots per inch.
  expect(ofPdf.pictures).toHaveLength(3);
  const points = Number(/size: (\d+)pt/.exec(ofPdf.sizes.join())?.[1]);
  expect(((ofPdf.pictures[0]?.[0] ?? 0) / points) * 72).toBeGreaterThan(150);
  await expect(printFrame(page)).toHaveCount(0);

  const body = paragraph('On the first page') + paragraph('On the second page', '', wordsBreak) + section();
  const docx = await makeDocument(api, 'print.docx', wordFile(body));
  await openDocument(page, docx);
  await keepPrinted(page);
  await expect(wordFrame(page).getByText('On the second page')).toBeVisible();
  await tool(page, 'Print').click();
  await expect.poll(async () => (await printed()).length).toBe(1);
  const [ofDocx] = await printed();
  if (!ofDocx) return;
  expectHarmless(ofDocx);
  expect(ofDocx.text).toMatch(
    /The header\s+On the first page\s+Page 1 of 2\s+The header\s+On the second page/,
  );
  expect(ofDocx.sizes).toEqual(['size: 595.3pt 841.9pt']);

  const line = (number: number) => `Line ${number} ${'of a long text '.repeat(12)}\n`;
  const content = Buffer.from(Array.from({ length: 4_000 }, (_, index) => line(index + 1)).join(''));
  const text = await makeDocument(api, 'print.txt', content);
  await api.waitForText(text.id);
  await openDocument(page, text);
  await keepPrinted(page);
  await expect(shownText(page)).toContainText('Line 1 of');
  await tool(page, 'Print').click();
  await expect.poll(async () => (await printed()).length).toBe(1);
  const [ofText] = await printed();
  if (!ofText) return;
  expectHarmless(ofText);
  expect(ofText.text.match(/Line \d+ of/g)).toHaveLength(4_000);
});

test('printing a long PDF shows how far it is, and can be cancelled', async ({ staffPage: page, api }) => {
  const pages = Array.from({ length: 300 }, (_, index) => textPage(`Page ${index + 1}`));
  const document = await makeDocument(api, 'long-print.pdf', pdfOf(pages));
  await openDocument(page, document);
  const printed = await keepPrinted(page);
  await expect(pdfPage(page, 1).locator('.textLayer')).toContainText('Page 1');
  await tool(page, 'Print').click();
  await expect(viewer(page).getByText(/^Preparing page \d+ of 300 for print$/)).toBeVisible();
  await tool(page, 'Cancel').click();
  await expect(viewer(page).getByText(/^Preparing/)).toHaveCount(0);
  await expect(printFrame(page)).toHaveCount(0);
  expect(await printed()).toEqual([]);
});

test('a text is zoomed, found in and opened at a page by keyboard', async ({ staffPage: page, api }) => {
  const line = (number: number) => `Line ${number} ${'of a long text '.repeat(12)}\n`;
  const lines = Array.from({ length: 4_000 }, (_, index) => line(index + 1));
  const content = Buffer.from(lines.join('').replace('Line 3900 of', 'Line 3900 has a Nädel of'));
  const document = await makeDocument(api, 'tools.txt', content);
  await api.waitForText(document.id);
  await openDocument(page, document);
  await expect(shownText(page)).toContainText('Line 1 of');
  const size = () => shownText(page).evaluate((text) => Number.parseFloat(getComputedStyle(text).fontSize));
  const before = await size();
  await shownText(page).focus();
  await page.keyboard.press('+');
  await expect.poll(size).toBeGreaterThan(before);
  await tool(page, 'Zoom out').click();
  await expect.poll(size).toBeCloseTo(before, 1);
  const field = viewer(page).getByRole('textbox', { name: 'Page' });
  await field.fill('150');
  await field.press('Enter');
  await expect(shownText(page).locator('[data-page="150"]')).toBeInViewport();
  await expect(field).toHaveValue('150');
  await shownText(page).focus();
  await page.keyboard.press('Control+f');
  const box = viewer(page).getByRole('textbox', { name: 'Find in document' });
  await expect(box).toBeFocused();
  // It is on a page that was not loaded.
  await page.keyboard.type('nadel');
  await expect(viewer(page).getByText('1 of 1', { exact: true })).toBeVisible();
  await expect(shownText(page).getByText('Nädel')).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(shownText(page)).toBeFocused();
});

for (const [type, content] of [
  ['docx', samples.docx],
  ['doc', samples.doc],
] as const) {
  test(`a ${type} fills the whole screen`, async ({ staffPage: page, api }) => {
    const document = await makeDocument(api, `full.${type}`, content);
    await api.waitForText(document.id);
    await openDocument(page, document);
    await tool(page, 'Full screen').click();
    await expect(tool(page, 'Leave full screen')).toBeVisible();
    const widths = () =>
      page.evaluate(() => [
        window.document.fullscreenElement?.getBoundingClientRect().width,
        window.innerWidth,
      ]);
    await expect.poll(async () => new Set(await widths()).size).toBe(1);
  });
}

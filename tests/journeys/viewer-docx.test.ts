import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { look } from './support/look.ts';
import { expect, test } from './support/test.ts';
import { makeDocument, openDocument, pageField, tool, viewer, wordFrame } from './support/viewer.ts';
import {
  linkedOldPicture,
  linkedPicture,
  paragraph,
  picturesInTwoVersions,
  section,
  textBoxInTwoVersions,
  wordFile,
  wordsBreak,
} from './support/word-files.ts';

const drawnPages = (page: Page) => wordFrame(page).locator('section.docx');
const lines = 'Words that fill a line of the page. '.repeat(12);

/** As Word saves a document that it has laid out. */
const pagesOf = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    paragraph(`Page ${index + 1} begins. ${lines}`, '', index > 0 ? wordsBreak : ''),
  ).join('');

test('each page of a DOCX has its header, its footer and its number', async ({ staffPage: page, api }) => {
  const ending = section().replace('<w:pgSz', '<w:titlePg w:val="0"/><w:pgSz');
  const laidOut = await makeDocument(api, 'laid-out.docx', wordFile(pagesOf(4) + ending));
  const many = paragraph(lines).repeat(60);
  const notLaidOut = await makeDocument(api, 'not-laid-out.docx', wordFile(many + section()));
  await openDocument(page, laidOut);
  await expect(drawnPages(page)).toHaveCount(4);
  await expect(viewer(page).getByText('of 4', { exact: true })).toBeVisible();
  for (const [index, drawn] of (await drawnPages(page).all()).entries()) {
    await expect(drawn.locator('header')).toHaveText('The header');
    await expect(drawn.locator('article')).toContainText(`Page ${index + 1} begins.`);
    await expect(drawn.locator('footer')).toHaveText(`Page ${index + 1} of 4`);
  }
  await expect(viewer(page).getByText('Simplified view; download for the exact layout')).toBeVisible();

  await openDocument(page, notLaidOut);
  const last = drawnPages(page).last();
  await expect(last.locator('footer')).toHaveText(/^Page ([2-9]) of \1$/);
  await expect(last.locator('header')).toHaveText('The header');
  // Each page is as high as the paper.
  const ratios = await drawnPages(page).evaluateAll((pages) =>
    pages.map((each) => each.getBoundingClientRect().height / each.getBoundingClientRect().width),
  );
  expect(ratios.filter((ratio) => Math.abs(ratio - Math.SQRT2) > 0.01)).toEqual([]);
  expect(ratios.length).toBeGreaterThan(1);
});

test('sections, pictures and text boxes keep their place and cover no text', async ({
  staffPage: page,
  api,
}) => {
  const columns = section('continuous', '<w:cols w:num="2"/>');
  const body = [
    paragraph('The first section', section()),
    paragraph('The second section', columns),
    picturesInTwoVersions,
    paragraph(`Beside the picture. ${lines}`),
    textBoxInTwoVersions('In the box'),
    paragraph('The end'),
    section('continuous'),
  ];
  const document = await makeDocument(api, 'parts.docx', wordFile(body.join('')));
  await openDocument(page, document);
  await expect(drawnPages(page)).toHaveCount(1);
  await expect(drawnPages(page).locator('article')).toHaveText([
    'The first section',
    'The second section',
    /In the box/,
  ]);
  await expect(wordFrame(page).getByText('In the box')).toHaveCount(1);
  const picture = drawnPages(page).locator('img');
  await expect(picture).toHaveCount(1);
  const natural = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(natural).toBe(1);
  expect((await picture.boundingBox())?.width).toBeGreaterThan(50);
  // What the browser finds at the middle of a line is the line, not what covers it.
  const covered = await wordFrame(page)
    .locator('body')
    .evaluate(({ ownerDocument }) =>
      [...ownerDocument.querySelectorAll('article span')].flatMap((span) => {
        const range = ownerDocument.createRange();
        range.selectNodeContents(span);
        return [...range.getClientRects()].flatMap(({ x, y, width, height }) => {
          const top = ownerDocument.elementFromPoint(x + width / 2, y + height / 2);
          return top && !span.contains(top) && !top.contains(span) ? [span.textContent] : [];
        });
      }),
    );
  expect(covered).toEqual([]);

  const plain = await makeDocument(api, 'no-size.docx', wordFile(paragraph('Without the size of a page')));
  await openDocument(page, plain);
  await expect(wordFrame(page).getByText('Without the size of a page')).toBeVisible();
  const letter = await drawnPages(page).boundingBox();
  expect((letter?.height ?? 0) / (letter?.width ?? 1)).toBeCloseTo(11 / 8.5, 2);
});

test('pictures that are elsewhere are not asked for', async ({ staffPage: page, api }) => {
  const heard: string[] = [];
  const elsewhere = createServer((request, response) => {
    heard.push(String(request.url));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  const { port } = elsewhere.address() as AddressInfo;
  const bullet = paragraph('A bullet', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>');
  const body = linkedPicture + linkedOldPicture + bullet + section();
  const content = wordFile(body, `http://127.0.0.1:${port}/outside.png`);
  const document = await makeDocument(api, 'external-picture.docx', content);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await openDocument(page, document);
  await expect(wordFrame(page).getByText('A bullet')).toBeVisible();
  await expect(wordFrame(page).locator('img[src^="data:image/svg"]')).toHaveCount(2);
  await page.waitForLoadState('networkidle');
  expect(asked.filter((path) => /null|outside/.test(path))).toEqual([]);
  expect(heard).toEqual([]);
  elsewhere.close();
});

test('the first of 500 pages is shown before the last is drawn', async ({ staffPage: page, api }) => {
  const document = await makeDocument(api, 'long.docx', wordFile(pagesOf(500) + section()));
  await openDocument(page, document);
  const drawnAtFirst = await page.waitForFunction(() => {
    const frame = window.document.querySelector<HTMLIFrameElement>('iframe[sandbox]')?.contentDocument;
    const isCovered = window.document.querySelector('section[aria-label="Document"] [role=status]');
    return !isCovered && frame?.querySelectorAll('section.docx').length;
  });
  expect(await drawnAtFirst.jsonValue()).toBeLessThan(500);
  await expect(viewer(page).getByText('of 500', { exact: true })).toBeVisible();
  await pageField(page).fill('400');
  await pageField(page).press('Enter');
  await expect(wordFrame(page).getByText('Page 400 begins.')).toBeInViewport();
  await expect(pageField(page)).toHaveValue('400');
  await expect(drawnPages(page).nth(399).locator('footer')).toHaveText('Page 400 of 500');
});

/** The marked place that the viewer went to, within the window; and where the document is visible. */
async function placeOfCurrent(page: Page, name: 'hit' | 'match') {
  return page.evaluate((which) => {
    const frame = window.document.querySelector<HTMLIFrameElement>('iframe[sandbox]');
    const own = frame?.contentWindow as (Window & typeof globalThis) | null | undefined;
    const [range] = own?.CSS.highlights.get(`${which}-current`) ?? [];
    const inside = (range as Range | undefined)?.getBoundingClientRect();
    const box = frame?.getBoundingClientRect();
    if (!inside || !box || inside.width === 0) return undefined;
    return {
      top: inside.top + box.top,
      bottom: inside.bottom + box.top,
      visible: [Math.max(box.top, 0), Math.min(box.bottom, window.innerHeight)] as const,
    };
  }, name);
}

async function expectInView(page: Page, name: 'hit' | 'match'): Promise<void> {
  await expect
    .poll(async () => {
      const place = await placeOfCurrent(page, name);
      return place && place.top >= place.visible[0] && place.bottom <= place.visible[1];
    })
    .toBe(true);
}

test('hits in a DOCX are counted and stepped through, and each comes into view', async ({
  staffPage: page,
  api,
}) => {
  const body = pagesOf(6).replace(/Page ([246]) begins/g, 'Page $1 has a lantern');
  const document = await makeDocument(api, 'hits.docx', wordFile(body + section()));
  await page.setViewportSize({ width: 1280, height: 800 });
  await openDocument(page, document, '?q=lantern');
  await expect(viewer(page).getByText('Hit 1 of 3', { exact: true })).toBeVisible();
  await expectInView(page, 'hit');
  await tool(page, 'Next hit').click();
  await expect(viewer(page).getByText('Hit 2 of 3', { exact: true })).toBeVisible();
  await expectInView(page, 'hit');
  await expect(pageField(page)).toHaveValue('4');
  await tool(page, 'Previous hit').click();
  await tool(page, 'Previous hit').click();
  await expect(viewer(page).getByText('Hit 3 of 3', { exact: true })).toBeVisible();
  await expectInView(page, 'hit');
  await expect(pageField(page)).toHaveValue('6');
  await page.setViewportSize({ width: 390, height: 844 });
  await tool(page, 'Next hit').click();
  await expect(viewer(page).getByText('Hit 1 of 3', { exact: true })).toBeVisible();
  await look(page, 'viewer-docx');
});

test('the keyboard finds in a DOCX, also from inside the page', async ({ staffPage: page, api }) => {
  const body = pagesOf(3).replaceAll('begins', 'has a Café');
  const document = await makeDocument(api, 'find.docx', wordFile(body + section()));
  await openDocument(page, document);
  await wordFrame(page).getByText('Page 1 has').click();
  await page.keyboard.press('Control+f');
  const box = viewer(page).getByRole('textbox', { name: 'Find in document' });
  await expect(box).toBeFocused();
  await page.keyboard.type('has a cafe');
  await expect(viewer(page).getByText('1 of 3', { exact: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(viewer(page).getByText('2 of 3', { exact: true })).toBeVisible();
  await expectInView(page, 'match');
  await expect(pageField(page)).toHaveValue('2');
  await page.keyboard.press('Shift+Enter');
  await expect(viewer(page).getByText('1 of 3', { exact: true })).toBeVisible();
  await box.fill('nowhere');
  await expect(viewer(page).getByText('Not found')).toBeVisible();
  await look(page, 'viewer-docx-find');
  await box.press('Escape');
  await expect(box).toHaveCount(0);
  // The keys work in the document again.
  const width = async () => (await drawnPages(page).first().boundingBox())?.width ?? 0;
  const before = await width();
  await page.keyboard.press('+');
  await expect.poll(width).toBeGreaterThan(before);
});

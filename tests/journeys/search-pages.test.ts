import type { Page } from '@playwright/test';
import { recordCalls } from './support/calls.ts';
import { search, searchField } from './support/customer-search.ts';
import { checkFits } from './support/look.ts';
import { testOnPreparedServer } from './support/prepared-server.ts';
import { repeat } from './support/repeat.ts';
import { expect } from './support/test.ts';

/** Padded, because results are sorted by name. */
const person = (number: number) => `Person ${String(number).padStart(3, '0')}`;

const test = testOnPreparedServer(async (api) => {
  await repeat(120, (number) =>
    api.makeCustomer({ name: person(number), city: 'Manytown', ...(number <= 50 && { province: 'Fifty' }) }),
  );
  const { id } = await api.makeCustomer({ name: 'Owner of many papers' });
  await repeat(60, (number) => api.makeDocument(id, { filename: `paper ${number}.txt` }));
});
// All tests of this file share one server.
test.describe.configure({ mode: 'default' });

const customerSearch = ['POST', '/api/customers/search'] as const;
const previous = (page: Page) => page.getByRole('button', { name: 'Previous' });
const next = (page: Page) => page.getByRole('button', { name: 'Next' });
const viewPerson = (page: Page, number: number) => page.getByRole('link', { name: `View ${person(number)}` });
const matchCount = (page: Page) => page.getByRole('status').filter({ hasText: '120 customers found' });

/** One of the three pages of 50, 50 and 20, announced as it is shown. */
async function expectPage(page: Page, number: 1 | 2 | 3): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: 'Page' })).toHaveText(`Page ${number} of 3`);
  await expect(matchCount(page)).toBeVisible();
  const first = (number - 1) * 50 + 1;
  const names = Array.from({ length: number === 3 ? 20 : 50 }, (_, index) => person(first + index));
  await expect(page.locator('tbody').getByRole('row')).toHaveText(names.map((name) => new RegExp(name)));
}

/** The first record is visible: below the header of small screens, above the lower edge. */
async function expectResultsInView(page: Page, firstNumber: number): Promise<void> {
  await expect(matchCount(page)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('link', { name: person(firstNumber), exact: true })).toBeInViewport({
    ratio: 1,
  });
  const header = await page.locator('header').boundingBox();
  const { y = 0 } = (await matchCount(page).boundingBox()) ?? {};
  expect(y).toBeGreaterThanOrEqual(header?.height ?? 0);
}

test('120 customers found are shown in pages of 50, 50 and 20, from one response', async ({
  staffPage: page,
}) => {
  const calls = recordCalls(page, ...customerSearch);
  await page.goto('/customers');
  await searchField(page, 'City').fill('manytown');
  await search(page);
  await expectPage(page, 1);
  await expect(page.getByText(/^Showing/)).toHaveCount(0);
  await expect(previous(page)).toBeDisabled();
  await next(page).click();
  await expectPage(page, 2);
  await expectResultsInView(page, 51);
  await expect(page).toHaveURL('/customers?city=manytown&page=2');
  await expect(searchField(page, 'City')).toHaveValue('manytown');
  await next(page).click();
  await expectPage(page, 3);
  await expect(next(page)).toBeDisabled();
  await previous(page).click();
  await expectPage(page, 2);
  await previous(page).click();
  await expectPage(page, 1);
  await expectResultsInView(page, 1);
  await expect(page).toHaveURL('/customers?city=manytown');
  await page.goBack();
  await expectPage(page, 2);
  expect(calls.map((call) => call.postDataJSON())).toEqual([{ city: 'manytown' }]);
});

test('50 customers found need no pages', async ({ staffPage: page }) => {
  await page.goto('/customers?province=Fifty');
  await expect(page.getByText('50 customers found', { exact: true })).toBeVisible();
  await expect(page.locator('tbody').getByRole('row')).toHaveCount(50);
  await expect(page.getByRole('navigation', { name: 'Pages' })).toHaveCount(0);
});

test('the page lives in the address: reload and a shared link lead to it', async ({
  staffPage: page,
  adminPage,
}) => {
  await page.goto('/customers?city=Manytown');
  await next(page).click();
  await expectPage(page, 2);
  await page.reload();
  await expectPage(page, 2);
  await adminPage.goto(page.url());
  await expectPage(adminPage, 2);
});

test('a page beyond the end shows the last one, an invalid number the first', async ({ staffPage: page }) => {
  await page.goto('/customers?city=Manytown&page=7');
  await expectPage(page, 3);
  await expect(next(page)).toBeDisabled();
  await previous(page).click();
  await expectPage(page, 2);
  await page.goto('/customers?city=Manytown&page=none');
  await expectPage(page, 1);
});

test('Back from a customer returns to the same place on the same page', async ({ staffPage: page }) => {
  await page.goto('/customers?city=Manytown');
  await next(page).click();
  await expectPage(page, 2);
  await viewPerson(page, 85).scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => window.scrollY);
  await viewPerson(page, 85).click();
  await expect(page.getByRole('heading', { level: 1, name: person(85) })).toBeFocused();
  await page.goBack();
  await expectPage(page, 2);
  await expect(page).toHaveURL('/customers?city=Manytown&page=2');
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrolled);
});

test('a search starts on its first page, new or repeated', async ({ staffPage: page }) => {
  const calls = recordCalls(page, ...customerSearch);
  await page.goto('/customers?city=Manytown&page=2');
  await expectPage(page, 2);
  await search(page);
  await expectPage(page, 1);
  await expect(page).toHaveURL('/customers?city=Manytown');
  await expect.poll(() => calls.length).toBe(2);
  await next(page).click();
  await expectPage(page, 2);
  await searchField(page, 'Name').fill('Person');
  await search(page);
  await expect(page).toHaveURL('/customers?name=Person&city=Manytown');
  await expectPage(page, 1);
  await page.goBack();
  await expectPage(page, 2);
  await expect(searchField(page, 'Name')).toHaveValue('');
});

test('the keyboard turns the pages and keeps its place, also on the last', async ({ staffPage: page }) => {
  await page.goto('/customers?city=Manytown');
  await viewPerson(page, 50).focus();
  await page.keyboard.press('Tab');
  await expect(previous(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expectPage(page, 1);
  await page.keyboard.press('Tab');
  await expect(next(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expectPage(page, 2);
  await page.keyboard.press('Space');
  await expectPage(page, 3);
  await expect(next(page)).toBeFocused();
  await expect(next(page)).toBeDisabled();
  await page.keyboard.press('Enter');
  await expectPage(page, 3);
  await page.keyboard.press('Shift+Tab');
  await expect(previous(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expectPage(page, 2);
});

test('on a small screen the next page begins in view, not the form above it', async ({ staffPage: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const calls = recordCalls(page, ...customerSearch);
  await page.goto('/customers?city=Manytown');
  await expectPage(page, 1);
  await checkFits(page, 'the pages of a search');
  await next(page).click();
  await expectPage(page, 2);
  await expectResultsInView(page, 51);
  await next(page).click();
  await expectPage(page, 3);
  await expectResultsInView(page, 101);
  await checkFits(page, 'the last page of a search');
  expect(calls).toHaveLength(1);
});

test('documents found are shown in pages too', async ({ staffPage: page }) => {
  const calls = recordCalls(page, 'POST', '/api/documents/search');
  const rows = page.locator('tbody').getByRole('row');
  await page.goto('/documents?filename=paper');
  await expect(page.getByText('60 documents found', { exact: true })).toBeVisible();
  await expect(page.getByText('Page 1 of 2', { exact: true })).toBeVisible();
  await expect(rows).toHaveCount(50);
  await next(page).click();
  await expect(page.getByText('Page 2 of 2', { exact: true })).toBeVisible();
  await expect(rows).toHaveCount(10);
  await expect(page).toHaveURL('/documents?filename=paper&page=2');
  await previous(page).click();
  await expect(rows).toHaveCount(50);
  await next(page).click();
  await expect(rows).toHaveCount(10);
  expect(calls).toHaveLength(1);

  const links = page.getByRole('link', { name: /^paper \d+\.txt$/ });
  const shown = await links.allTextContents();
  await links.last().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(shown.at(-1) ?? '');
  await page.goBack();
  await expect(page.getByText('Page 2 of 2', { exact: true })).toBeVisible();
  await expect(links).toHaveText(shown);

  await page.getByLabel('Customer name').fill('owner');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page).toHaveURL('/documents?customer_name=owner&filename=paper');
  await expect(page.getByText('Page 1 of 2', { exact: true })).toBeVisible();
});

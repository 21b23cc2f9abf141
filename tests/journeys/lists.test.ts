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
  await repeat(119, (number) => api.makeCustomer({ name: person(number), city: 'Manytown' }));
  const { id } = await api.makeCustomer({ name: person(120), city: 'Manytown' });
  await repeat(59, (number) => api.makeDocument(id, { filename: `paper ${number}.txt` }));
  await api.makeDocument(id, { filename: 'paper 60.txt', content: Buffer.alloc(3 * 1024 * 1024, 'a') });
});
// All tests of this file share one server.
test.describe.configure({ mode: 'default' });

const previous = (page: Page) => page.getByRole('button', { name: 'Previous' });
const next = (page: Page) => page.getByRole('button', { name: 'Next' });
const rows = (page: Page) => page.locator('tbody').getByRole('row');

/** Simulates coming back to this tab from another window. */
const refocusWindow = (page: Page) =>
  page.evaluate(() => {
    window.dispatchEvent(new Event('blur'));
    window.dispatchEvent(new Event('focus'));
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });

for (const { noun, title, total, newest } of [
  { noun: 'customers', title: 'All Customers', total: 120, newest: [person(120)] },
  { noun: 'documents', title: 'All Documents', total: 60, newest: ['paper 60.txt', person(120), '3 MB'] },
]) {
  const path = `/${noun}/all`;
  const lastPage = Math.ceil(total / 50);

  async function expectPage(page: Page, number: number): Promise<void> {
    const [first, last] = [(number - 1) * 50 + 1, Math.min(number * 50, total)];
    await expect(
      page.getByText(`Showing ${first} to ${last} of ${total} ${noun}`, { exact: true }),
    ).toBeVisible();
    await expect(page.getByText(`Page ${number} of ${lastPage}`, { exact: true })).toBeVisible();
    await expect(rows(page)).toHaveCount(last - first + 1);
  }

  test(`all ${noun} come in pages of 50, the newest first`, async ({ staffPage: page }) => {
    const calls = recordCalls(page, 'GET', `/api/${noun}`);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expectPage(page, 1);
    for (const text of newest) await expect(rows(page).first()).toContainText(text);
    await expect(previous(page)).toBeDisabled();
    await refocusWindow(page);
    for (let number = 2; number <= lastPage; number += 1) {
      await next(page).click();
      await expectPage(page, number);
      await expect(page).toHaveURL(`${path}?page=${number}`);
    }
    await expect(next(page)).toBeDisabled();
    // A new request for the first page would have been sent before these.
    expect(calls.map((call) => new URL(call.url()).search)).toEqual(
      Array.from({ length: lastPage }, (_, index) => `?page=${index + 1}&limit=50`),
    );
    await page.reload();
    await expectPage(page, lastPage);
    const link = rows(page).first().getByRole('link').first();
    const name = (await link.textContent()) ?? '';
    await link.click();
    await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeFocused();
    await page.goBack();
    await expectPage(page, lastPage);
    await previous(page).click();
    await expectPage(page, lastPage - 1);
    await page.goto(`${path}?page=99`);
    await expect(page.getByText(`No ${noun} found`, { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Go to the first page' }).click();
    await expectPage(page, 1);
    await page.goto(`${path}?page=-3`);
    await expectPage(page, 1);
  });
}

const customerSearch = ['POST', '/api/customers/search'] as const;
const matchCount = (page: Page) => page.getByRole('status').filter({ hasText: '120 customers found' });
const viewPerson = (page: Page, number: number) => page.getByRole('link', { name: `View ${person(number)}` });

/** One of the three pages of 50, 50 and 20, announced as it is shown. */
async function expectFound(page: Page, number: 1 | 2 | 3): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: 'Page' })).toHaveText(`Page ${number} of 3`);
  await expect(matchCount(page)).toBeVisible();
  const first = (number - 1) * 50 + 1;
  const names = Array.from({ length: number === 3 ? 20 : 50 }, (_, index) => person(first + index));
  await expect(rows(page)).toHaveText(names.map((name) => new RegExp(name)));
}

/** The first record is visible: below the header of small screens, above the lower edge. */
async function expectResultsInView(page: Page, firstNumber: number): Promise<void> {
  await expect(matchCount(page)).toBeInViewport({ ratio: 1 });
  const first = page.getByRole('link', { name: person(firstNumber), exact: true });
  await expect(first).toBeInViewport({ ratio: 1 });
  const header = await page.locator('header').boundingBox();
  const { y = 0 } = (await matchCount(page).boundingBox()) ?? {};
  expect(y).toBeGreaterThanOrEqual(header?.height ?? 0);
}

test('what a search found comes in pages, from one response', async ({ staffPage: page }) => {
  const calls = recordCalls(page, ...customerSearch);
  await page.goto('/customers');
  await searchField(page, 'City').fill('manytown');
  await search(page);
  await expectFound(page, 1);
  await expect(page.getByText(/^Showing/)).toHaveCount(0);
  await expect(previous(page)).toBeDisabled();
  await next(page).click();
  await expectFound(page, 2);
  await expectResultsInView(page, 51);
  await expect(page).toHaveURL('/customers?city=manytown&page=2');
  await next(page).click();
  await expectFound(page, 3);
  await expect(next(page)).toBeDisabled();
  await previous(page).click();
  await expectFound(page, 2);
  expect(calls.map((call) => call.postDataJSON())).toEqual([{ city: 'manytown' }]);

  await viewPerson(page, 85).scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => window.scrollY);
  await viewPerson(page, 85).click();
  await expect(page.getByRole('heading', { level: 1, name: person(85) })).toBeFocused();
  await page.goBack();
  await expectFound(page, 2);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrolled);
});

test('a search starts on its first page, new or repeated', async ({ staffPage: page }) => {
  const calls = recordCalls(page, ...customerSearch);
  await page.goto('/customers?city=Manytown&page=7');
  await expectFound(page, 3);
  await search(page);
  await expectFound(page, 1);
  await expect(page).toHaveURL('/customers?city=Manytown');
  await expect.poll(() => calls.length).toBe(2);
  await next(page).click();
  await expectFound(page, 2);
  await searchField(page, 'Name').fill('Person 01');
  await search(page);
  await expect(page).toHaveURL('/customers?name=Person+01&city=Manytown');
  await expect(page.getByText('10 customers found', { exact: true })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Pages' })).toHaveCount(0);
  await page.goBack();
  await expectFound(page, 2);
  await expect(searchField(page, 'Name')).toHaveValue('');
});

test('the keyboard turns the pages and keeps its place, also on the last', async ({ staffPage: page }) => {
  await page.goto('/customers?city=Manytown');
  await viewPerson(page, 50).focus();
  await page.keyboard.press('Tab');
  await expect(previous(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expectFound(page, 1);
  await page.keyboard.press('Tab');
  await expect(next(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expectFound(page, 2);
  await page.keyboard.press('Space');
  await expectFound(page, 3);
  await expect(next(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expectFound(page, 3);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expectFound(page, 2);
});

test('on a small screen the next page begins in view, not the form above it', async ({ staffPage: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/customers?city=Manytown');
  await expectFound(page, 1);
  await next(page).click();
  await expectFound(page, 2);
  await expectResultsInView(page, 51);
  await checkFits(page, 'the pages of a search');
});

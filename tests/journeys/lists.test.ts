import type { Page } from '@playwright/test';
import type { Api } from './support/api.ts';
import { recordCalls } from './support/calls.ts';
import { search, searchField } from './support/customer-search.ts';
import { checkFits } from './support/look.ts';
import { repeat } from './support/repeat.ts';

import { expect, test } from './support/test.ts';

/** Padded, because results are sorted by name. */
const person = (number: number) => `Person ${String(number).padStart(3, '0')}`;

const makePeople = (api: Api) =>
  repeat(120, (number) => api.makeCustomer({ name: person(number), city: 'Manytown' }));

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

const number = new Intl.NumberFormat('en-GB');

test('all customers come in pages of 50, the newest first; so do documents', async ({
  staffPage: page,
  api,
  once,
}) => {
  await once(makePeople);
  const customer = await api.makeCustomer();
  const content = Buffer.alloc(3 * 1024 * 1024, 'a');
  const { filename } = await api.makeDocument(customer.id, { content });
  const { total } = await api.get<{ total: number }>('/api/customers');
  const lastPage = Math.ceil(total / 50);

  async function expectPage(shown: number): Promise<void> {
    const [first, last] = [(shown - 1) * 50 + 1, Math.min(shown * 50, total)].map(number.format);
    const range = `Showing ${first} to ${last} of ${number.format(total)} customers`;
    await expect(page.getByText(range, { exact: true })).toBeVisible();
    await expect(page.getByText(`Page ${shown} of ${lastPage}`, { exact: true })).toBeVisible();
    await expect(rows(page)).toHaveCount(shown === lastPage ? total - (lastPage - 1) * 50 : 50);
  }

  const calls = recordCalls(page, 'GET', '/api/customers');
  await page.goto('/customers/all');
  await expect(page.getByRole('heading', { level: 1, name: 'All Customers' })).toBeVisible();
  await expectPage(1);
  await expect(rows(page).first()).toContainText(customer.name);
  await expect(previous(page)).toBeDisabled();
  await refocusWindow(page);
  for (const shown of [2, 3]) {
    await next(page).click();
    await expectPage(shown);
    await expect(page).toHaveURL(`/customers/all?page=${shown}`);
  }
  // A new request for the first page would have been sent before these.
  expect(calls.map((call) => new URL(call.url()).search)).toEqual(
    [1, 2, 3].map((shown) => `?page=${shown}&limit=50`),
  );
  await page.goto(`/customers/all?page=${lastPage}`);
  await expectPage(lastPage);
  await expect(next(page)).toBeDisabled();
  const link = rows(page).first().getByRole('link').first();
  const name = (await link.textContent()) ?? '';
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeFocused();
  await page.goBack();
  await expectPage(lastPage);
  await previous(page).click();
  await expectPage(lastPage - 1);
  await page.goto('/customers/all?page=9999');
  await expect(page.getByText('No customers found', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Go to the first page' }).click();
  await expectPage(1);
  await page.goto('/customers/all?page=-3');
  await expectPage(1);

  await page.goto('/documents/all');
  for (const text of [filename, customer.name, '3 MB']) {
    await expect(rows(page).first()).toContainText(text);
  }
  await page.goto('/documents/all?page=9999');
  await expect(page.getByText('No documents found', { exact: true })).toBeVisible();
});

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

test('what a search found comes in pages, from one response', async ({ staffPage: page, once }) => {
  await once(makePeople);
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

  // The next page begins in view, not the form above it.
  await page.setViewportSize({ width: 390, height: 844 });
  await previous(page).click();
  await expectFound(page, 1);
  await expectResultsInView(page, 1);
  await checkFits(page, 'the pages of a search');
});

test('a search starts on its first page; the keyboard keeps its place in the pages', async ({
  staffPage: page,
  once,
}) => {
  await once(makePeople);
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
  await previous(page).click();
  await expectFound(page, 1);

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

import type { Locator, Page } from '@playwright/test';
import { unique } from './support/api.ts';
import { search, searchField } from './support/customer-search.ts';
import { repeat } from './support/repeat.ts';
import { expect, test } from './support/test.ts';

const phone = { width: 390, height: 844 };
const bodyRows = (page: Page) => page.locator('tbody').getByRole('row');
const rowOf = (page: Page, name: string) => bodyRows(page).filter({ hasText: name });

async function heightOf(row: Locator): Promise<number> {
  return (await row.boundingBox())?.height ?? 0;
}

/** Truncated texts. */
const cutTexts = (row: Locator) =>
  row.evaluate((element) =>
    [...element.querySelectorAll('td, td *')]
      .filter((part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1)
      .filter((part) => part.clientWidth > 0)
      .map((part) => part.textContent),
  );

test('at 1280 by 800 a dozen whole records are in view', async ({ staffPage: page, api }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await repeat(30, (number) =>
    api.makeCustomer({
      name: `Łukasz Wiśniewska ${number}`,
      email: `lukasz.wisniewska${number}@example.com`,
      phone_number: '+49 (30) 23125 999',
      street_line: '2782 Sunset Boulevard',
      city: 'Köln',
      province: 'Nordrhein-Westfalen',
      country: 'Germany',
    }),
  );
  await page.goto('/customers/all');
  const rows = bodyRows(page);
  await expect(rows.nth(11)).toBeInViewport({ ratio: 1 });
  expect(await heightOf(rows.nth(0))).toBeLessThanOrEqual(46);
  expect(await cutTexts(rows.nth(0))).toEqual([]);
  // A date of the United States, which other systems render a little wider.
  const room = await rows
    .nth(0)
    .locator('time')
    .evaluate((element) => {
      const text = element.textContent;
      element.textContent = 'Nov 28, 2026';
      const cell = element.closest('td') as HTMLTableCellElement;
      const left = cell.clientWidth - 16 - element.getBoundingClientRect().width;
      element.textContent = text;
      return left;
    });
  expect(room).toBeGreaterThan(6);
  // Tabular figures also stretch hyphens, as in names of people and places.
  const figures = (cell: number) =>
    rows
      .nth(0)
      .getByRole('cell')
      .nth(cell)
      .evaluate((element) => getComputedStyle(element).fontVariantNumeric);
  expect([await figures(1), await figures(3)]).toEqual(['normal', 'tabular-nums']);
  const head = page.getByRole('columnheader', { name: 'Address' });
  await rows.nth(29).scrollIntoViewIfNeeded();
  await expect(rows.nth(0)).not.toBeInViewport();
  await expect(head).toBeInViewport({ ratio: 1 });
  // The focused row is not under the sticky header.
  const { y = 0, height = 0 } = (await head.boundingBox()) ?? {};
  await rows.nth(10).getByRole('link').first().focus();
  expect((await rows.nth(10).boundingBox())?.y).toBeGreaterThanOrEqual(y + height - 8);
});

test('the whole row opens the record', async ({ staffPage: page, api }) => {
  const customer = await api.makeCustomer({ name: unique('Owner') });
  const document = await api.makeDocument(customer.id);
  const list = `/documents?filename=${encodeURIComponent(document.filename)}`;
  await page.goto(list);
  const row = rowOf(page, document.filename);
  const size = row.getByRole('cell').nth(2);
  const viewed = page.waitForEvent('popup');
  await row.getByRole('button', { name: /^View/ }).click();
  await (await viewed).close();
  const downloaded = page.waitForEvent('download');
  await row.getByRole('button', { name: /^Download/ }).click();
  await downloaded;
  const opened = page.context().waitForEvent('page');
  await size.click({ modifiers: ['ControlOrMeta'] });
  await expect(await opened).toHaveURL(`/documents/${document.id}`);
  await expect(page).toHaveURL(list);
  const { x, y, width, height } = (await size.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + 1, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width - 1, y + height / 2, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate(() => getSelection()?.toString())).toContain('Bytes');
  await expect(page).toHaveURL(list);

  await row.getByRole('cell').nth(3).click();
  await expect(page).toHaveURL(`/documents/${document.id}`);
  await page.goBack();
  await row.getByRole('link', { name: customer.name }).click();
  await expect(page).toHaveURL(`/customers/${customer.id}`);
});

test('tables reach down to 700 pixels; phones have cards', async ({ staffPage: page, api }) => {
  const customer = await api.makeCustomer({
    name: unique('W'.repeat(180)),
    email: 'someone@example.com',
    phone_number: '555',
    street_line: 'Main Street '.repeat(10),
  });
  await page.setViewportSize({ width: 720, height: 900 });
  await page.goto(`/customers?name=${encodeURIComponent(customer.name)}`);
  const row = rowOf(page, customer.name);
  // The header is visible before the row.
  await expect(row).toBeVisible();
  const places = () =>
    row.getByRole('cell').evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().top));
  await expect(page.getByRole('columnheader', { name: 'Address' })).toBeInViewport({ ratio: 1 });
  expect(new Set(await places()).size).toBe(1);
  await page.setViewportSize(phone);
  await expect.poll(() => heightOf(row)).toBeLessThan(80);
  const email = await page.getByText('someone@example.com').boundingBox();
  const name = await row.getByRole('link', { name: customer.name, exact: true }).boundingBox();
  expect(email?.y).toBeGreaterThan(name?.y ?? 0);
  await page.getByText('someone@example.com').click();
  await expect(page).toHaveURL(`/customers/${customer.id}`);
});

test('on a phone the form folds after a search', async ({ staffPage: page, api }) => {
  const city = unique('Foldingham');
  const customer = await api.makeCustomer({ city });
  await page.setViewportSize(phone);
  await page.goto('/customers');
  const unfold = page.getByRole('button', { name: 'Change search' });
  await expect(unfold).toBeHidden();
  await searchField(page, 'City').fill(city);
  await search(page);
  await expect(rowOf(page, customer.name)).toBeInViewport({ ratio: 1 });
  await expect(searchField(page, 'City')).toBeHidden();
  await expect(page.getByText(`City: ${city}`)).toBeVisible();
  await expect(unfold).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(searchField(page, 'Name')).toBeFocused();
  await searchField(page, 'City').fill('');
  await searchField(page, 'Street line').fill('x');
  await search(page);
  await expect(searchField(page, 'Street line')).toBeFocused();
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(page.getByText('No search performed')).toBeVisible();
  await expect(unfold).toBeHidden();
  await page.goBack();
  await expect(unfold).toBeVisible();
  await expect(rowOf(page, customer.name)).toBeInViewport({ ratio: 1 });
});

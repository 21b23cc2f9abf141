import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { Api, makePdf, unique } from './support/api.ts';
import { answerCalls, recordCalls } from './support/calls.ts';
import { repeat } from './support/repeat.ts';
import { expectScreen } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { openDocument, pdfPage } from './support/viewer.ts';

test.use({ callsMayFail: true });

const rows = (page: Page) => page.getByRole('table', { name: 'Activity' }).locator('tbody').getByRole('row');
const form = (page: Page) => page.getByRole('search', { name: 'Activity' });
const search = (page: Page) => form(page).getByRole('button', { name: 'Search' }).click();
const pill = (page: Page, name: string) => page.getByRole('button', { name: `Remove ${name}`, exact: true });
const older = (page: Page) => page.getByRole('button', { name: 'Show older' });
const newest = (page: Page) => page.getByRole('button', { name: 'Newest' });
const history = (page: Page) => page.getByRole('region', { name: 'History' });
const entries = (page: Page) => history(page).getByRole('list').first().locator('> li');

/** What was done, from the newest on. */
async function expectActions(page: Page, actions: string[]): Promise<void> {
  await expect(rows(page)).toHaveCount(actions.length);
  await expect(rows(page).locator('td:nth-child(3)')).toHaveText(actions);
}

test('a row says who did what to what; it opens, and is exported', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer({ name: unique('Carla'), city: 'Berlin' });
  await api.put(`/api/customers/${customer.id}`, { city: 'Bonn' });
  await page.goto(`/admin/activity?customer_id=${customer.id}`);
  const row = rows(page).filter({ hasText: 'Changed customer' }).filter({ hasText: customer.name });
  await expect(row.locator('time')).toHaveAttribute('title', /\d:\d\d/);
  await expect(row).toContainText('127.0.0.1');
  const opener = row.getByRole('button', { name: 'Details' });
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(opener).toHaveAttribute('aria-expanded', 'true');
  const changes = page.getByRole('list', { name: 'Changes' });
  await expect(changes).toHaveText('City: Berlin → Bonn');
  await expect(page.getByRole('term').filter({ hasText: 'Request id' })).toBeVisible();
  // A click on the row closes it again.
  await row.getByText('127.0.0.1').click();
  await expect(changes).toHaveCount(0);
  for (const [label, name, lineCount] of [
    ['Export CSV', /^activity-\d{4}-\d\d-\d\d\.csv$/, 3],
    ['Export JSON lines', /^activity-\d{4}-\d\d-\d\d\.jsonl$/, 2],
  ] as const) {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: label }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(name);
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(lineCount);
    expect(lines.at(-1)).toContain(customer.name);
  }
  await row.getByRole('link', { name: customer.name }).click();
  await expect(page).toHaveURL(`/customers/${customer.id}`);
});

test('filters by person, kind, outcome and day are in the address', async ({ adminPage: page, api }) => {
  const person = await api.makeUser('admin', unique('Paula'));
  const hers = new Api(api.url, person.token);
  const { id } = await hers.makeCustomer();
  await hers.put(`/api/customers/${id}`, { city: 'Bonn' });
  const kind = form(page).getByLabel('Kind');
  await page.goto('/admin/activity');
  await rows(page).getByRole('link', { name: person.user.name, exact: true }).first().click();
  await expect(pill(page, person.user.name)).toBeVisible();
  await expect(page).toHaveURL(({ searchParams }) => searchParams.get('person') === String(person.user.id));
  const all = ['Changed customer', 'Added customer', 'Changed password', 'Signed in'];
  await expectActions(page, all);

  await kind.selectOption('Added customer');
  await search(page);
  await expectActions(page, ['Added customer']);
  await kind.selectOption('Customers: all');
  await search(page);
  await expectActions(page, ['Changed customer', 'Added customer']);
  await page.reload();
  await expectActions(page, ['Changed customer', 'Added customer']);
  await expect(kind.locator('option:checked')).toHaveText('Customers: all');
  await page.goBack();
  await expectActions(page, ['Added customer']);
  await expect(kind).toHaveValue('customer.created');

  await kind.selectOption('Anything');
  await form(page).getByLabel('Outcome').selectOption('Refused or failed');
  await search(page);
  await expect(page.getByText('Nothing found')).toBeVisible();
  await form(page).getByLabel('Outcome').selectOption('Any');
  await form(page).getByLabel('To').fill('2020-01-01');
  await form(page).getByLabel('From').fill('2020-01-02');
  await search(page);
  await expect(form(page).getByText('From must not be after to', { exact: true })).toBeVisible();
  await form(page).getByLabel('To').fill('2999-01-01');
  await search(page);
  await expectActions(page, all);
  await pill(page, person.user.name).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(pill(page, person.user.name)).toHaveCount(0);
  await form(page).getByRole('button', { name: 'Reset' }).click();
  await expect(page).toHaveURL('/admin/activity');
});

test('older rows come by key, also after Back and a reload', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer();
  await repeat(60, (number) => api.put(`/api/customers/${customer.id}`, { city: `City ${number}` }));
  await page.goto(`/admin/activity?customer_id=${customer.id}`);
  await expect(rows(page)).toHaveCount(50);
  await expect(newest(page)).toHaveAttribute('aria-disabled', 'true');
  await older(page).click();
  await expect(rows(page)).toHaveCount(11);
  await expect(rows(page).last()).toContainText('Added customer');
  await expect(older(page)).toHaveAttribute('aria-disabled', 'true');
  // Rows that are added meanwhile move nothing.
  await api.put(`/api/customers/${customer.id}`, { city: 'Late' });
  await page.reload();
  await expect(rows(page)).toHaveCount(11);
  await newest(page).click();
  await expect(rows(page)).toHaveCount(50);
  await page.goBack();
  await expect(rows(page)).toHaveCount(11);
  await page.goto(`/customers/${customer.id}`);
  await history(page).getByRole('button', { name: 'Show history' }).click();
  await expect(entries(page)).toHaveCount(10);
  await history(page).getByRole('button', { name: 'Show older' }).click();
  await expect(entries(page)).toHaveCount(20);
});

test('an export that fails says so', async ({ adminPage: page }) => {
  await page.goto('/admin/activity');
  await expectScreen(page, 'Activity');
  const busy = { status: 503, body: { error: 'The server is busy. Please try again in a moment.' } };
  await answerCalls(page, 'GET', '/api/activity/export', busy);
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await expect(page.getByRole('alert')).toHaveText(busy.body.error);
  // A page that never was.
  await page.goto('/admin/activity?before=999999999');
  await expect(page.getByText('before must be the id of a row of the activity log')).toBeVisible();
  await newest(page).click();
  await expect(rows(page).first()).toBeVisible();
});

test("a document's history has a row for each look, and leads to the log", async ({
  adminPage: page,
  api,
}) => {
  const from = await api.makeCustomer({ name: unique('From') });
  const to = await api.makeCustomer({ name: unique('To') });
  const document = await api.makeDocument(from.id, { filename: 'moved.pdf', content: makePdf('Moved') });
  await api.put(`/api/documents/${document.id}`, { customer_id: to.id, description: 'Final' });
  const calls = recordCalls(page, 'GET', '/api/activity');
  await openDocument(page, document);
  await expect(pdfPage(page, 1).locator('.textLayer')).toContainText('Moved');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  await saved;
  await api.get(`/api/documents/${document.id}/view`);
  expect(calls).toHaveLength(0);
  const show = history(page).getByRole('button', { name: 'Show history' });
  await show.click();
  await expect(entries(page)).toHaveText([
    /^Issued download link/,
    /^Downloaded/,
    /^Viewed/,
    /^Changed document/,
    /^Uploaded/,
  ]);
  await expect(history(page)).toContainText(`Customer: ${from.name} → ${to.name}`);
  await expect(history(page).getByRole('link', { name: to.name })).toBeVisible();
  await history(page).getByRole('link', { name: 'Open in Activity' }).click();
  await expect(pill(page, document.filename)).toBeVisible();

  await page.goBack();
  await answerCalls(page, 'GET', '/api/activity', { status: 404, body: { error: 'Not found' } });
  await page.reload();
  await show.click();
  await expect(history(page)).toHaveCount(0);
});

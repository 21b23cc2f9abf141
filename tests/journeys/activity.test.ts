import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { Api, makePdf, unique } from './support/api.ts';
import { answerCalls, failure, holdCalls, recordCalls } from './support/calls.ts';
import { repeat } from './support/repeat.ts';
import { expectScreen } from './support/screens.ts';
import { expect, failedCall, test } from './support/test.ts';
import { openDocument, pdfPage } from './support/viewer.ts';

const rows = (page: Page) => page.getByRole('table', { name: 'Activity' }).locator('tbody').getByRole('row');
const form = (page: Page) => page.getByRole('search', { name: 'Activity' });
const search = (page: Page) => form(page).getByRole('button', { name: 'Search' }).click();
const pill = (page: Page, name: string) => page.getByRole('button', { name: `Remove ${name}`, exact: true });
const older = (page: Page) => page.getByRole('button', { name: 'Show older' });
const newest = (page: Page) => page.getByRole('button', { name: 'Newest' });
const history = (page: Page) => page.getByRole('region', { name: 'History' });

/** What was done, from the newest on. */
async function expectActions(page: Page, actions: string[]): Promise<void> {
  await expect(rows(page)).toHaveCount(actions.length);
  await expect(rows(page).locator('td:nth-child(3)')).toHaveText(actions);
}

test('administrators see who did what, to what and from where, and open a row for old and new values', async ({
  adminPage: page,
  api,
}) => {
  const customer = await api.makeCustomer({ name: unique('Carla'), city: 'Berlin' });
  await api.put(`/api/customers/${customer.id}`, { city: 'Bonn' });
  await page.goto('/dashboard');
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Activity' }).click();
  await expectScreen(page, 'Activity');
  const row = rows(page).filter({ hasText: 'Changed customer' }).filter({ hasText: customer.name });
  await expect(row.locator('time')).toHaveAttribute('title', /\d:\d\d/);
  await expect(row).toContainText('127.0.0.1');
  const opener = row.getByRole('button', { name: 'Details' });
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(opener).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByRole('list', { name: 'Changes' })).toHaveText('City: Berlin → Bonn');
  await expect(page.getByRole('term').filter({ hasText: 'Request id' })).toBeVisible();
  // A click on the row closes it again.
  await row.getByRole('cell').last().click();
  await row.getByText('127.0.0.1').click();
  await row.getByText('127.0.0.1').click();
  await expect(page.getByRole('list', { name: 'Changes' })).toHaveCount(0);
  await row.getByRole('link', { name: customer.name }).click();
  await expect(page).toHaveURL(`/customers/${customer.id}`);
});

test('the log is filtered by person, kind, outcome and day, and the address keeps it', async ({
  adminPage: page,
  api,
}) => {
  const person = await api.makeUser('admin', unique('Paula'));
  const hers = new Api(api.url, person.token);
  const { id } = await hers.makeCustomer();
  await hers.put(`/api/customers/${id}`, { city: 'Bonn' });
  await page.goto('/admin/activity');
  await rows(page).getByRole('link', { name: person.user.name, exact: true }).first().click();
  await expect(pill(page, person.user.name)).toBeVisible();
  await expect(page).toHaveURL(({ searchParams }) => searchParams.get('person') === String(person.user.id));
  const all = ['Changed customer', 'Added customer', 'Signed in', 'Changed password', 'Signed in'];
  await expectActions(page, all);

  await form(page).getByLabel('Kind').selectOption('Added customer');
  await search(page);
  await expectActions(page, ['Added customer']);
  await form(page).getByLabel('Kind').selectOption('Customers: all');
  await search(page);
  await expectActions(page, ['Changed customer', 'Added customer']);
  await page.reload();
  await expectActions(page, ['Changed customer', 'Added customer']);
  await expect(form(page).getByLabel('Kind').locator('option:checked')).toHaveText('Customers: all');
  await page.goBack();
  await expectActions(page, ['Added customer']);
  await expect(form(page).getByLabel('Kind')).toHaveValue('customer.created');

  await form(page).getByLabel('Kind').selectOption('Anything');
  await form(page).getByLabel('Outcome').selectOption('Refused or failed');
  await search(page);
  await expect(page.getByText('Nothing found')).toBeVisible();
  await form(page).getByLabel('Outcome').selectOption('Any');
  await form(page).getByLabel('To').fill('2020-01-01');
  await search(page);
  await expect(page.getByText('Nothing found')).toBeVisible();
  await form(page).getByLabel('From').fill('2020-01-02');
  await search(page);
  await expect(form(page).getByText('From must not be after to', { exact: true })).toBeVisible();
  await form(page).getByLabel('To').fill('2999-01-01');
  await search(page);
  await expectActions(page, all);
  await pill(page, person.user.name).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(pill(page, person.user.name)).toHaveCount(0);
  await expect(rows(page)).not.toHaveCount(all.length);
  await form(page).getByRole('button', { name: 'Reset' }).click();
  await expect(page).toHaveURL('/admin/activity');
});

test('older rows come by key: Back, Newest and a reload of the address lead to the same rows', async ({
  adminPage: page,
  api,
}) => {
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
  await page.goBack();
  await expect(rows(page)).toHaveCount(50);
  await expect(page).toHaveURL(`/admin/activity?customer_id=${customer.id}`);
});

test('what the filters match is exported as CSV and JSON lines', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer({ name: unique('Exported') });
  await page.goto(`/admin/activity?customer_id=${customer.id}`);
  await expect(rows(page)).toHaveCount(1);
  for (const [label, name] of [
    ['Export CSV', /^activity-\d{4}-\d\d-\d\d\.csv$/],
    ['Export JSON lines', /^activity-\d{4}-\d\d-\d\d\.jsonl$/],
  ] as const) {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: label }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(name);
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(label === 'Export CSV' ? 2 : 1);
    expect(lines.at(-1)).toContain(customer.name);
  }
  await page.goto('/admin/activity?action=activity.exported');
  await expect(rows(page).first()).toContainText('Exported activity');
});

test('an export and a list that fail say so', async ({ adminPage: page, expectConsole }) => {
  expectConsole(failedCall);
  await page.goto('/admin/activity');
  await expectScreen(page, 'Activity');
  const busy = { status: 503, body: { error: 'The server is busy. Please try again in a moment.' } };
  await answerCalls(page, 'GET', '/api/activity/export', busy);
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await expect(page.getByRole('alert')).toHaveText(busy.body.error);
  const { restore } = await answerCalls(page, 'GET', '/api/activity', failure);
  await page.goto('/admin/activity');
  await expect(page.getByText('Error loading the activity. Please try again.')).toBeVisible();
  await restore();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('table', { name: 'Activity' })).toBeVisible();
  // A page that never was.
  await page.goto('/admin/activity?before=999999999');
  await expect(page.getByText('before must be the id of a row of the activity log')).toBeVisible();
  await newest(page).click();
  await expect(rows(page).first()).toBeVisible();
});

test("a customer's history shows what changed, older rows on demand, and leads to the log", async ({
  adminPage: page,
  api,
}) => {
  const calls = recordCalls(page, 'GET', '/api/activity');
  const customer = await api.makeCustomer({ city: 'Aachen' });
  await repeat(10, (number) => api.put(`/api/customers/${customer.id}`, { province: `Province ${number}` }));
  await api.put(`/api/customers/${customer.id}`, { city: 'Bonn' });
  const document = await api.makeDocument(customer.id);
  await page.goto(`/customers/${customer.id}`);
  await expectScreen(page, customer.name);
  expect(calls).toHaveLength(0);
  await history(page).getByRole('button', { name: 'Show history' }).click();
  const entries = history(page).getByRole('list').first().locator('> li');
  await expect(entries).toHaveCount(10);
  await expect(entries.first()).toContainText('Uploaded');
  await expect(entries.first().getByRole('link', { name: document.filename })).toBeVisible();
  await expect(history(page).getByText('City: Aachen → Bonn')).toBeVisible();
  await history(page).getByRole('button', { name: 'Show older' }).click();
  await expect(entries).toHaveCount(13);
  await expect(entries.last()).toContainText('Added customer');
  await expect(history(page).getByRole('button', { name: 'Show older' })).toHaveCount(0);
  await history(page).getByRole('link', { name: 'Open in Activity' }).click();
  await expect(page).toHaveURL(`/admin/activity?customer_id=${customer.id}`);
  await expect(rows(page)).toHaveCount(13);
  await expect(pill(page, customer.name)).toBeVisible();
});

test("a document's history shows one row for each look, and customers by their names", async ({
  adminPage: page,
  api,
}) => {
  const from = await api.makeCustomer({ name: unique('From') });
  const to = await api.makeCustomer({ name: unique('To') });
  const document = await api.makeDocument(from.id, { filename: 'moved.pdf', content: makePdf('Moved') });
  await api.put(`/api/documents/${document.id}`, { customer_id: to.id });
  await openDocument(page, document);
  await expect(pdfPage(page, 1).locator('.textLayer')).toContainText('Moved');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  await saved;
  await api.get(`/api/documents/${document.id}/view`);
  await history(page).getByRole('button', { name: 'Show history' }).click();
  const entries = history(page).getByRole('list').first().locator('> li');
  await expect(entries).toHaveText([
    /^Issued download link/,
    /^Downloaded/,
    /^Viewed/,
    /^Changed document/,
    /^Uploaded/,
  ]);
  await expect(history(page)).toContainText(`Customer: ${from.name} → ${to.name}`);
  await history(page).getByRole('link', { name: to.name }).click();
  await expect(page).toHaveURL(`/customers/${to.id}`);
});

test("a document's history shows who opened and changed it", async ({ adminPage: page, api }) => {
  const document = await api.makeDocument((await api.makeCustomer()).id, { description: 'First draft' });
  await api.put(`/api/documents/${document.id}`, { description: 'Final' });
  await page.goto(`/documents/${document.id}`);
  await history(page).getByRole('button', { name: 'Show history' }).click();
  await expect(history(page)).toContainText('Description: First draft → Final');
  await expect(history(page)).toContainText('Uploaded');
  await history(page).getByRole('link', { name: 'Open in Activity' }).click();
  await expect(pill(page, document.filename)).toBeVisible();
});

test('staff are not offered the log or a history, and nothing is asked for them', async ({
  staffPage: page,
  api,
}) => {
  const calls = recordCalls(page, 'GET', '/api/activity');
  const customer = await api.makeCustomer();
  const document = await api.makeDocument(customer.id);
  for (const [path, title] of [
    [`/customers/${customer.id}`, customer.name],
    [`/documents/${document.id}`, document.filename],
    ['/dashboard', 'Dashboard'],
  ] as const) {
    await page.goto(path);
    await expectScreen(page, title);
    await expect(page.getByRole('link', { name: 'Activity' })).toHaveCount(0);
    await expect(history(page)).toHaveCount(0);
  }
  await page.goto('/admin/activity');
  await expectScreen(page, 'Access Denied');
  expect(calls).toHaveLength(0);
});

test('a server without the log has no history', async ({ adminPage: page, api, expectConsole }) => {
  expectConsole(failedCall);
  const customer = await api.makeCustomer();
  await answerCalls(page, 'GET', '/api/activity', { status: 404, body: { error: 'Not found' } });
  await page.goto(`/customers/${customer.id}`);
  await history(page).getByRole('button', { name: 'Show history' }).click();
  await expect(history(page)).toHaveCount(0);
});

test('while it loads there are placeholders, and a phone shows everything in cards', async ({
  adminPage: page,
  api,
}) => {
  const customer = await api.makeCustomer({ name: unique('W'.repeat(180)) });
  await page.setViewportSize({ width: 390, height: 844 });
  const { release } = await holdCalls(page, '/api/activity');
  await page.goto(`/admin/activity?customer_id=${customer.id}`);
  await expect(page.locator('[aria-busy=true]').first()).toBeVisible();
  release();
  const row = rows(page).first();
  await expect(row).toContainText('Added customer');
  await expect(page.getByText('All activity')).toBeVisible();
  await row.getByText('Added customer').click();
  await expect(page.getByRole('definition').filter({ hasText: '127.0.0.1' })).toBeVisible();
});

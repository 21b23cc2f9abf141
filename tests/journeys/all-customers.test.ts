import type { Page } from '@playwright/test';
import { answerCalls, failure, recordCalls } from './support/calls.ts';
import { refocusWindow } from './support/focus-window.ts';
import { testOnPreparedServer } from './support/prepared-server.ts';
import { repeat } from './support/repeat.ts';
import { expect, failedCall } from './support/test.ts';

const test = testOnPreparedServer(async (api) => {
  await repeat(119, (number) => api.makeCustomer({ name: `Customer ${number}` }));
  await api.makeCustomer({ name: 'The newest' });
});
// All tests of this file share one server.
test.describe.configure({ mode: 'default' });

const listCall = ['GET', '/api/customers'] as const;
const previous = (page: Page) => page.getByRole('button', { name: 'Previous' });
const next = (page: Page) => page.getByRole('button', { name: 'Next' });

async function expectPage(page: Page, number: 1 | 2 | 3): Promise<void> {
  const shown = { 1: '1 to 50', 2: '51 to 100', 3: '101 to 120' }[number];
  await expect(page.getByText(`Showing ${shown} of 120 customers`, { exact: true })).toBeVisible();
  await expect(page.getByText(`Page ${number} of 3`, { exact: true })).toBeVisible();
  // The first row is the header.
  await expect(page.getByRole('row')).toHaveCount(1 + (number === 3 ? 20 : 50));
}

test('all customers come in pages of 50, the newest first', async ({ staffPage: page }) => {
  const calls = recordCalls(page, ...listCall);
  await page.goto('/customers/all');
  await expect(page.getByRole('heading', { level: 1, name: 'All Customers' })).toBeVisible();
  await expectPage(page, 1);
  await expect(page.getByRole('row').nth(1)).toContainText('The newest');
  await expect(previous(page)).toBeDisabled();
  await next(page).click();
  await expectPage(page, 2);
  await expect(previous(page)).toBeEnabled();
  await next(page).click();
  await expectPage(page, 3);
  await expect(next(page)).toBeDisabled();
  await previous(page).click();
  await expectPage(page, 2);
  const asked = calls.slice(0, 3).map((call) => new URL(call.url()).search);
  expect(asked).toEqual(['?page=1&limit=50', '?page=2&limit=50', '?page=3&limit=50']);
});

test('the page lives in the address: Back, reload and a shared link lead to it', async ({
  staffPage: page,
  adminPage,
}) => {
  await page.goto('/customers/all');
  await next(page).click();
  await expectPage(page, 2);
  await expect(page).toHaveURL('/customers/all?page=2');
  await page.reload();
  await expectPage(page, 2);
  await adminPage.goto(page.url());
  await expectPage(adminPage, 2);
  await page.goBack();
  await expectPage(page, 1);
  await expect(page).toHaveURL('/customers/all');
});

test('a page beyond the last says that there are no customers, and leads to the first', async ({
  staffPage: page,
}) => {
  await page.goto('/customers/all?page=4');
  await expect(page.getByText('No customers found', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Go to the first page' }).click();
  await expectPage(page, 1);
});

test('an invalid page number shows the first page', async ({ staffPage: page }) => {
  await page.goto('/customers/all?page=-3');
  await expectPage(page, 1);
});

test('a failed page is retried once, then shows an error and a retry', async ({
  staffPage: page,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const calls = recordCalls(page, ...listCall);
  const { restore } = await answerCalls(page, ...listCall, failure);
  await page.goto('/customers/all');
  const alert = page.getByRole('alert');
  await expect(alert.getByText('Error loading customers. Please try again.', { exact: true })).toBeVisible();
  expect(calls).toHaveLength(2);
  await restore();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expectPage(page, 1);
});

test('a temporary failure is not visible', async ({ staffPage: page, expectConsole }) => {
  expectConsole(failedCall);
  const calls = recordCalls(page, ...listCall);
  await page.route(
    ({ pathname }) => pathname === listCall[1],
    (route) => route.abort(),
    { times: 1 },
  );
  await page.goto('/customers/all');
  await expectPage(page, 1);
  expect(calls).toHaveLength(2);
});

test('nothing is refetched when the window regains focus', async ({ staffPage: page }) => {
  const calls = recordCalls(page, ...listCall);
  await page.goto('/customers/all');
  await expectPage(page, 1);
  await refocusWindow(page);
  await next(page).click();
  await expectPage(page, 2);
  expect(calls.map((call) => new URL(call.url()).search)).toEqual(['?page=1&limit=50', '?page=2&limit=50']);
});

test('View opens the customer, and Back returns to the same page', async ({ staffPage: page }) => {
  await page.goto('/customers/all?page=2');
  await expectPage(page, 2);
  const view = page.getByRole('link', { name: /^View Customer/ }).first();
  const name = (await view.getAttribute('aria-label'))?.replace('View ', '') ?? '';
  await view.click();
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeFocused();
  await page.goBack();
  await expectPage(page, 2);
});

test('only admins are offered Add Customer', async ({ adminPage, staffPage }) => {
  await staffPage.goto('/customers/all');
  await expectPage(staffPage, 1);
  await expect(staffPage.getByRole('link', { name: 'Add Customer' })).toHaveCount(0);
  await adminPage.goto('/customers/all');
  await adminPage.getByRole('link', { name: 'Add Customer' }).click();
  await expect(adminPage).toHaveURL('/customers/new');
});

import type { Page } from '@playwright/test';
import { Api } from './support/api.ts';
import { answerCalls } from './support/calls.ts';
import { expectSignedOut } from './support/session.ts';
import { expect, failedCall, test } from './support/test.ts';

test.use({ ownAccounts: true });

const menuLink = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name });

test('the profile shows where one is signed in, and ends a session elsewhere', async ({
  staffPage: page,
  openAs,
  server,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const other = await openAs(await Api.signIn(server.url, staff));
  await other.goto('/customers/all');
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('All Customers');
  await page.goto('/profile');
  const sessions = page.getByRole('listitem').filter({ hasText: '127.0.0.1' });
  const current = sessions.filter({ hasText: 'This device' });
  await expect(current).toHaveCount(1);
  await expect(current).toContainText(/signed in .* · last used/);
  await expect(current.getByRole('button')).toHaveCount(0);
  const before = await sessions.count();
  // This one, then the newest.
  await sessions
    .nth(1)
    .getByRole('button', { name: /^End session of / })
    .click();
  await expect(page.getByText('Session ended')).toBeVisible();
  await expect(sessions).toHaveCount(before - 1);
  await menuLink(other, 'All Documents').click();
  await expectSignedOut(other);
  await menuLink(page, 'Dashboard').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
});

test('all other sessions are ended at once', async ({
  staffPage: page,
  openAs,
  server,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const others = [await Api.signIn(server.url, staff), await Api.signIn(server.url, staff)];
  const other = await openAs(others[0]);
  await other.goto('/dashboard');
  await page.goto('/profile');
  await page.getByRole('button', { name: 'End all other sessions' }).click();
  await expect(page.getByText('Signed out everywhere else', { exact: true })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: '127.0.0.1' })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'End all other sessions' })).toHaveCount(0);
  await menuLink(other, 'All Customers').click();
  await expectSignedOut(other);
});

test('a server without sessions to show shows none', async ({ staffPage: page, expectConsole }) => {
  expectConsole(failedCall);
  await answerCalls(page, 'GET', '/api/auth/sessions', { status: 404, body: {} });
  await page.goto('/profile');
  await expect(page.getByRole('heading', { name: 'Your details' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toHaveCount(0);
});

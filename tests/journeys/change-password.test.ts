import type { Page } from '@playwright/test';
import { Api, send } from './support/api.ts';
import { answerCalls, holdCalls, recordCalls } from './support/calls.ts';
import { expectSignedOut } from './support/session.ts';
import { expect, failedCall, test } from './support/test.ts';

test.use({ ownAccounts: true });

const changePassword = '/api/auth/change-password';
const current = (page: Page) => page.getByLabel('Current password', { exact: true });
const next = (page: Page) => page.getByLabel('New password', { exact: true });
const confirmed = (page: Page) => page.getByLabel('Confirm new password', { exact: true });

async function change(page: Page, from: string, to: string, again = to): Promise<void> {
  await current(page).fill(from);
  await next(page).fill(to);
  await confirmed(page).fill(again);
  await page.getByRole('button', { name: 'Change password' }).click();
}

test('a changed password leads to the profile, which says so once', async ({
  staffPage: page,
  server,
  staff,
}) => {
  const calls = recordCalls(page, 'PUT', changePassword);
  await page.goto('/profile');
  await page.getByRole('link', { name: 'Change password' }).click();
  await expect(page).toHaveURL('/change-password');
  await change(page, staff.password, 'my own new password');
  await expect(page).toHaveURL('/profile');
  const message = page.getByText('Password changed successfully', { exact: true });
  await expect(message).toBeVisible();
  expect(calls.map((call) => call.postDataJSON())).toEqual([
    { currentPassword: staff.password, newPassword: 'my own new password' },
  ]);
  const { email } = staff;
  const old = await send(server.url, 'POST', '/api/auth/login', undefined, {
    email,
    password: staff.password,
  });
  expect(old.status).toBe(401);
  await Api.signIn(server.url, { email, password: 'my own new password' });
  await page.reload();
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeVisible();
  await expect(message).toHaveCount(0);
});

test('a changed password ends the other sessions, not this one', async ({
  staffPage: page,
  server,
  staff,
  openAs,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const elsewhere = await openAs(
    await Api.signIn(server.url, { email: staff.email, password: staff.password }),
  );
  await elsewhere.goto('/dashboard');
  await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  await page.goto('/change-password');
  await change(page, staff.password, 'my own new password');
  await expect(page).toHaveURL('/profile');
  await elsewhere.getByRole('link', { name: 'All Customers', exact: true }).click();
  await expectSignedOut(elsewhere);
  await page.getByRole('link', { name: 'All Customers', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Customers');
});

test('all three fields are required', async ({ staffPage: page, staff }) => {
  const calls = recordCalls(page, 'PUT', changePassword);
  await page.goto('/change-password');
  await expect(current(page)).toBeFocused();
  const banner = page.getByRole('alert');
  const attempts: [string, string, string][] = [
    ['', '', ''],
    ['', 'new password', 'new password'],
    [staff.password, '', 'new password'],
    [staff.password, 'new password', ''],
  ];
  for (const attempt of attempts) {
    await page.reload();
    await change(page, ...attempt);
    await expect(banner).toHaveText('All fields are required');
    const fields = [current, next, confirmed];
    for (const [index, field] of fields.entries()) {
      const mark = attempt[index] === '' ? 'This field is required' : '';
      await expect(field(page)).toHaveAccessibleDescription(mark);
    }
    const firstBlank = fields[attempt.indexOf('')];
    if (firstBlank) await expect(firstBlank(page)).toBeFocused();
  }
  expect(calls).toHaveLength(0);
});

test('a new password needs 6 characters', async ({ staffPage: page, staff }) => {
  const calls = recordCalls(page, 'PUT', changePassword);
  await page.goto('/change-password');
  await change(page, staff.password, '12345');
  await expect(next(page)).toHaveAccessibleDescription('New password must be at least 6 characters');
  await expect(next(page)).toBeFocused();
  expect(calls).toHaveLength(0);
  await change(page, staff.password, 'wq7!xz');
  await expect(page).toHaveURL('/profile');
});

test('the confirmation must equal the new password', async ({ staffPage: page, staff }) => {
  const calls = recordCalls(page, 'PUT', changePassword);
  await page.goto('/change-password');
  await change(page, staff.password, 'one password', 'another password');
  await expect(confirmed(page)).toHaveAccessibleDescription('New passwords do not match');
  await expect(confirmed(page)).toBeFocused();
  expect(calls).toHaveLength(0);
});

test('a wrong current password shows an error and ends no session', async ({
  staffPage: page,
  server,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await page.goto('/change-password');
  await change(page, 'not my password', 'my own new password');
  await expect(current(page)).toHaveAccessibleDescription('The current password is not correct');
  await expect(current(page)).toBeFocused();
  expect((await send(server.url, 'GET', '/api/auth/verify', staff.token)).status).toBe(200);
});

test('the messages of the server about the new password are shown', async ({
  staffPage: page,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await page.goto('/change-password');
  await change(page, staff.password, 'password');
  await expect(next(page)).toHaveAccessibleDescription(
    'This password is too common. Please choose another one.',
  );
  await change(page, staff.password, staff.password);
  await expect(next(page)).toHaveAccessibleDescription('New password must be different from the current one');
});

test('a failure shows the message of the server, or else a fixed one', async ({
  staffPage: page,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await page.goto('/change-password');
  for (const [body, text] of [
    [{ error: 'Not today', message: 'Never' }, 'Not today'],
    [{ message: 'Never' }, 'Never'],
    [{}, 'Failed to change password'],
  ] as const) {
    const { restore } = await answerCalls(page, 'PUT', changePassword, { status: 500, body });
    await change(page, 'my password', 'my own new password');
    await expect(page.getByRole('alert')).toHaveText(text);
    await expect(page).toHaveURL('/change-password');
    await restore();
  }
});

test('the button says Changing... while busy, and the change is sent once', async ({
  staffPage: page,
  staff,
}) => {
  const calls = recordCalls(page, 'PUT', changePassword);
  const { release } = await holdCalls(page, changePassword);
  await page.goto('/change-password');
  await change(page, staff.password, 'my own new password');
  const busy = page.getByRole('button', { name: 'Changing...' });
  await expect(busy).toBeVisible();
  await expect(busy).toBeFocused();
  await page.keyboard.press('Enter');
  release();
  await expect(page).toHaveURL('/profile');
  expect(calls).toHaveLength(1);
});

test('Cancel leads to the profile', async ({ staffPage: page }) => {
  const calls = recordCalls(page, 'PUT', changePassword);
  await page.goto('/change-password');
  await current(page).fill('something');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/profile');
  await expect(page.getByText('Password changed successfully')).toHaveCount(0);
  expect(calls).toHaveLength(0);
});

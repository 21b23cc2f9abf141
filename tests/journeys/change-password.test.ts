import type { Page } from '@playwright/test';
import { Api } from './support/api.ts';
import { holdCalls, recordCalls } from './support/calls.ts';
import { expectSignedOut } from './support/session.ts';
import { expect, test } from './support/test.ts';

test.use({ ownAccounts: true, callsMayFail: true });

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

test('a changed password is sent once and ends other sessions', async ({
  staffPage: page,
  server,
  staff,
  openAs,
}) => {
  const elsewhere = await openAs(await Api.signIn(server.url, staff));
  await elsewhere.goto('/customers', { waitUntil: 'networkidle' });
  const calls = recordCalls(page, 'PUT', changePassword);
  const { release } = await holdCalls(page, changePassword);
  await page.goto('/change-password');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/profile');
  const message = page.getByText('Password changed successfully', { exact: true });
  await expect(message).toHaveCount(0);
  await page.getByRole('link', { name: 'Change password' }).click();
  await expect(current(page)).toBeFocused();
  await change(page, staff.password, 'my own new password');
  const busy = page.getByRole('button', { name: 'Changing...' });
  await expect(busy).toBeFocused();
  await page.keyboard.press('Enter');
  release();
  await expect(page).toHaveURL('/profile');
  await expect(message).toBeVisible();
  expect(calls.map((call) => call.postDataJSON())).toEqual([
    { currentPassword: staff.password, newPassword: 'my own new password' },
  ]);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeVisible();
  await expect(message).toHaveCount(0);
  await elsewhere.getByRole('link', { name: 'All Customers', exact: true }).click();
  await expectSignedOut(elsewhere);
});

test('a wrong input shows its error at the field', async ({ staffPage: page, staff }) => {
  const calls = recordCalls(page, 'PUT', changePassword);
  await page.goto('/change-password');
  const fields = [current, next, confirmed];
  for (const attempt of [
    ['', '', ''],
    [staff.password, 'new password', ''],
  ] as const) {
    const [from, to, again] = attempt;
    await change(page, from, to, again);
    await expect(page.getByRole('alert')).toHaveText('All fields are required');
    for (const [index, field] of fields.entries()) {
      const mark = attempt[index] === '' ? 'This field is required' : '';
      await expect(field(page)).toHaveAccessibleDescription(mark);
    }
    const firstBlank = fields[[from, to, again].indexOf('')];
    if (firstBlank) await expect(firstBlank(page)).toBeFocused();
  }
  await change(page, staff.password, '12345');
  await expect(next(page)).toHaveAccessibleDescription('New password must be at least 6 characters');
  await change(page, staff.password, 'one password', 'another password');
  await expect(confirmed(page)).toHaveAccessibleDescription('New passwords do not match');
  await expect(confirmed(page)).toBeFocused();
  expect(calls).toHaveLength(0);

  await change(page, 'not my password', 'my own new password');
  await expect(current(page)).toHaveAccessibleDescription('The current password is not correct');
  await expect(current(page)).toBeFocused();
  await change(page, staff.password, 'password');
  const common = 'This password is too common. Please choose another one.';
  await expect(next(page)).toHaveAccessibleDescription(common);
  await change(page, staff.password, 'wq7!xz');
  await expect(page).toHaveURL('/profile');
});

import type { Page } from '@playwright/test';
import { send, unique } from './support/api.ts';
import { enableMfa } from './support/authenticator.ts';
import { answerCalls, failure, recordCalls } from './support/calls.ts';
import { expectSignedOut } from './support/session.ts';
import { expect, test } from './support/test.ts';

test.use({ ownAccounts: true, callsMayFail: true });

const rowOf = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email });

/** Finds the user by the search, which leaves one row. */
async function open(page: Page, email: string): Promise<void> {
  await page.goto(`/admin/users?${new URLSearchParams({ q: email })}`);
  await expect(rowOf(page, email)).toBeVisible();
}

async function choose(page: Page, email: string, action: string): Promise<void> {
  await rowOf(page, email).getByRole('button').click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Reads the consequences, then continues. */
async function confirm(page: Page, title: string, consequence: string, button = title): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title });
  await expect(dialog).toContainText(consequence);
  await dialog.getByRole('button', { name: button, exact: true }).click();
}

test('users are listed, searched and sorted', async ({ adminPage: page, server, staff, api }) => {
  const tag = unique('sorted');
  const invited = await api.invite('staff', `A ${tag}`);
  for (const name of ['b', 'c']) await api.invite('staff', `${name} ${tag}`);
  await enableMfa(server.url, staff);
  await page.goto('/admin/users');
  const titles = ['Name', 'Email', 'Role', 'State', 'MFA', 'Last seen', 'Actions'];
  await expect(page.getByRole('columnheader')).toHaveText(titles);
  const search = page.getByRole('searchbox', { name: 'Search users' });
  await search.fill(staff.email);
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(rowOf(page, staff.email)).toContainText(/Staff.*Active.*On/);
  await search.fill('no user has this name');
  await expect(page.getByRole('status').filter({ hasText: 'No users found' })).toBeVisible();
  await search.fill(tag);
  await expect(rowOf(page, invited.email)).toContainText(/Staff.*Invited until .*Off.*Never seen/);
  const first = page.getByRole('row').getByRole('cell').first();
  await expect(first).toHaveText(`A ${tag}`);
  const header = page.getByRole('columnheader', { name: 'Name' });
  await expect(header).toHaveAttribute('aria-sort', 'ascending');
  await header.getByRole('button').click();
  await expect(first).toHaveText(`c ${tag}`);
  await expect(header).toHaveAttribute('aria-sort', 'descending');
  await page.reload();
  await expect(search).toHaveValue(tag);
  await expect(first).toHaveText(`c ${tag}`);
  await page.goBack();
  await expect(first).toHaveText(`A ${tag}`);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await expect(search).toHaveValue('');
  await page.goto('/admin/users?sort=nonsense&order=sideways');
  await expect(header).toHaveAttribute('aria-sort', 'ascending');
});

test('an invitation is sent again and withdrawn', async ({ adminPage: page, server, api }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const { email } = await api.invite('staff');
  await open(page, email);
  await choose(page, email, 'Send invitation again');
  await confirm(page, 'Send invitation again', 'the one sent before stops working', 'Send again');
  const password = (await page.getByRole('code').textContent()) ?? '';
  await page.getByRole('button', { name: 'Copy message' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const message = await page.evaluate(() => navigator.clipboard.readText());
  for (const line of [
    `Sign in at: ${server.url}/login`,
    `Email: ${email}`,
    `Temporary password: ${password}`,
  ]) {
    expect(message).toContain(line);
  }
  await choose(page, email, 'Withdraw invitation');
  await confirm(page, 'Withdraw invitation', 'The account of', 'Withdraw');
  await expect(page.getByText('Invitation withdrawn successfully')).toBeVisible();
  await expect(rowOf(page, email)).toHaveCount(0);
});

test('name and role are changed after a confirmation', async ({
  adminPage: page,
  admin,
  staffPage,
  staff,
}) => {
  const name = unique('Renamed');
  const path = `/api/users/${staff.user.id}`;
  await open(page, staff.email);
  await choose(page, staff.email, 'Change name or role');
  const edit = page.getByRole('dialog', { name: `Edit ${staff.email}` });
  const save = edit.getByRole('button', { name: 'Save Changes' });
  await edit.getByLabel('Name').fill(' ');
  await save.click();
  await expect(edit.getByLabel('Name')).toHaveAccessibleDescription('Name is required');
  await edit.getByLabel('Name').fill(name);
  await edit.getByLabel('Role').selectOption('Admin');
  await expect(edit).toContainText('They can change and delete everything, and manage users.');
  const required = { error: 'Please confirm that it is you', code: 'CONFIRMATION_REQUIRED' };
  const { restore } = await answerCalls(page, 'PUT', path, { status: 403, body: required });
  await save.click();
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(dialog).toBeVisible();
  await restore();
  const calls = recordCalls(page, 'PUT', path);
  await dialog.getByRole('textbox', { name: 'Password' }).fill(admin.password);
  await page.keyboard.press('Enter');
  await expect(edit).toHaveCount(0);
  await expect(rowOf(page, staff.email)).toContainText(new RegExp(`${name}.*Admin`));
  expect(calls.map((call) => call.postDataJSON())).toEqual([{ name, role: 'admin' }]);
  await staffPage.goto('/admin/users');
  await expect(staffPage.getByRole('heading', { level: 1 })).toHaveText('Users');
});

test('a user is disabled, enabled, reset and signed out', async ({
  adminPage: page,
  staffPage,
  server,
  staff,
}) => {
  const { email } = staff;
  await enableMfa(server.url, staff);
  await staffPage.goto('/customers/all', { waitUntil: 'networkidle' });
  await open(page, email);
  const row = rowOf(page, email);
  const path = `/api/users/${staff.user.id}/disable`;
  const { restore } = await answerCalls(page, 'POST', path, failure);
  await choose(page, email, 'Disable');
  await confirm(page, 'Disable', 'is signed out everywhere at once and can no longer sign in');
  await expect(page.getByRole('alert')).toHaveText('The change failed. Please try again.');
  await expect(row).toContainText('Active');
  await restore();
  await choose(page, email, 'Disable');
  await confirm(page, 'Disable', 'is signed out everywhere at once and can no longer sign in');
  await expect(row).toContainText('Disabled');
  await staffPage.getByRole('link', { name: 'All Documents', exact: true }).click();
  await expectSignedOut(staffPage);
  await choose(page, email, 'Enable');
  await confirm(page, 'Enable', 'can sign in again');
  await expect(row).toContainText('Active');
  await choose(page, email, 'Reset MFA');
  await confirm(page, 'Reset MFA', 'Do this only when you are sure who is asking.');
  await expect(page.getByText('MFA reset successfully')).toBeVisible();
  await expect(row).toContainText('Off');
  await choose(page, email, 'New temporary password');
  const consequence = 'stops working, and they are signed out everywhere';
  await confirm(page, 'New temporary password', consequence, 'Make a new password');
  const password = (await page.getByRole('code').textContent()) ?? '';
  const { body } = await send(server.url, 'POST', '/api/auth/login', undefined, { email, password });
  expect(body).toMatchObject({ require_password_change: true });
  await choose(page, email, 'End all sessions');
  await confirm(page, 'End all sessions', 'is signed out on every device');
  await expect(page.getByText('Signed out everywhere')).toBeVisible();
});

test('the own account is not disabled here, and the last administrator keeps the role', async ({
  adminPage: page,
  admin,
}) => {
  await open(page, admin.email);
  await rowOf(page, admin.email).getByRole('button').click();
  await expect(page.getByRole('menuitem')).toHaveText(['Change name or role', 'End all sessions']);
  const last = { error: 'This is the last active administrator: make another one first', code: 'LAST_ADMIN' };
  await answerCalls(page, 'PUT', `/api/users/${admin.user.id}`, { status: 409, body: last });
  await page.getByRole('menuitem', { name: 'Change name or role' }).click();
  const dialog = page.getByRole('dialog', { name: `Edit ${admin.email}` });
  await dialog.getByLabel('Role').selectOption('Staff');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(last.error);
});

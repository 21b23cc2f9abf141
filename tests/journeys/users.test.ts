import type { Page } from '@playwright/test';
import { Api, send, unique } from './support/api.ts';
import { enableMfa } from './support/authenticator.ts';
import { answerCalls, failure, recordCalls } from './support/calls.ts';
import { expectSignedOut } from './support/session.ts';
import { expect, failedCall, test } from './support/test.ts';

test.use({ ownAccounts: true });

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

/** Reads the consequences, then goes on. */
async function confirm(page: Page, title: string, consequence: string, button = title): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title });
  await expect(dialog).toContainText(consequence);
  await dialog.getByRole('button', { name: button, exact: true }).click();
}

test('users are listed with role, state, MFA and when they were last seen, and can be searched', async ({
  adminPage: page,
  admin,
  server,
  staff,
  api,
}) => {
  const invited = await api.invite('staff', unique('Bea'));
  await enableMfa(server.url, staff);
  await page.goto('/admin/users');
  await expect(page.getByRole('columnheader')).toHaveText([
    'Name',
    'Email',
    'Role',
    'State',
    'MFA',
    'Last seen',
    'Actions',
  ]);
  const search = page.getByRole('searchbox', { name: 'Search users' });
  await search.fill(staff.email);
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(rowOf(page, staff.email)).toContainText(/Staff.*Active.*On/);
  await expect(page).toHaveURL(({ searchParams }) => searchParams.get('q') === staff.email);
  await search.fill(invited.email);
  await expect(rowOf(page, invited.email)).toContainText(/Staff.*Invited until .*Off.*Never seen/);
  await search.fill('nobody has this name');
  await expect(page.getByRole('status').filter({ hasText: 'No users found' })).toBeVisible();
  await page.goto(`/admin/users?q=${admin.email}`);
  await expect(search).toHaveValue(admin.email);
  await expect(rowOf(page, admin.email)).toContainText(/Admin.*Active/);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await expect(search).toHaveValue('');
  await expect(page).toHaveURL('/admin/users');
});

test('the headers sort, the address remembers it, and further pages follow', async ({
  adminPage: page,
  api,
}) => {
  const tag = unique('sorted');
  for (const name of ['b', 'A', 'c']) await api.invite('staff', `${name} ${tag}`);
  await page.goto(`/admin/users?${new URLSearchParams({ q: tag })}`);
  const names = page.getByRole('row').getByRole('cell').first();
  await expect(names).toHaveText(`A ${tag}`);
  const header = page.getByRole('columnheader', { name: 'Name' });
  await expect(header).toHaveAttribute('aria-sort', 'ascending');
  await header.getByRole('button').click();
  await expect(names).toHaveText(`c ${tag}`);
  await expect(header).toHaveAttribute('aria-sort', 'descending');
  await page.reload();
  await expect(names).toHaveText(`c ${tag}`);
  await page.goBack();
  await expect(names).toHaveText(`A ${tag}`);
  await page.goto('/admin/users?sort=nonsense&order=sideways&page=2');
  await expect(header).toHaveAttribute('aria-sort', 'ascending');
});

test('an invitation is sent again with a message to hand over, and withdrawn', async ({
  adminPage: page,
  server,
  api,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const invited = await api.invite('staff');
  await open(page, invited.email);
  await choose(page, invited.email, 'Send invitation again');
  await confirm(page, 'Send invitation again', 'the one sent before stops working', 'Send again');
  const password = (await page.getByRole('code').textContent()) ?? '';
  await page.getByRole('button', { name: 'Copy message' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const message = await page.evaluate(() => navigator.clipboard.readText());
  expect(message).toContain(`Sign in at: ${server.url}/login`);
  expect(message).toContain(`Email: ${invited.email}`);
  expect(message).toContain(`Temporary password: ${password}`);
  const login = (with_: string) =>
    send(server.url, 'POST', '/api/auth/login', undefined, { email: invited.email, password: with_ });
  expect((await login(invited.password)).status).toBe(401);

  await choose(page, invited.email, 'Withdraw invitation');
  await confirm(page, 'Withdraw invitation', 'The account of', 'Withdraw');
  await expect(page.getByText('Invitation withdrawn successfully')).toBeVisible();
  await expect(rowOf(page, invited.email)).toHaveCount(0);
  expect((await login(password)).status).toBe(401);
});

test('name and role are changed, and what a new role means is said before', async ({
  adminPage: page,
  openAs,
  staff,
}) => {
  const name = unique('Renamed');
  await open(page, staff.email);
  const calls = recordCalls(page, 'PUT', `/api/users/${staff.user.id}`);
  await choose(page, staff.email, 'Change name or role');
  const dialog = page.getByRole('dialog', { name: `Edit ${staff.email}` });
  await dialog.getByLabel('Name').fill(' ');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription('Name is required');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Role').selectOption('Admin');
  await expect(dialog).toContainText('They can change and delete everything, and manage users.');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(rowOf(page, staff.email)).toContainText(new RegExp(`${name}.*Admin`));
  expect(calls.map((call) => call.postDataJSON())).toEqual([{ name, role: 'admin' }]);
  const theirs = await openAs(staff);
  await theirs.goto('/admin/users');
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('Users');
});

test('the page of a disabled colleague ends at the next call; enabled, they sign in again', async ({
  adminPage: page,
  staffPage,
  server,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await staffPage.goto('/customers/all');
  await expect(staffPage.getByRole('heading', { level: 1 })).toHaveText('All Customers');
  await open(page, staff.email);
  await choose(page, staff.email, 'Disable');
  await confirm(page, 'Disable', 'is signed out everywhere at once and can no longer sign in');
  await expect(rowOf(page, staff.email)).toContainText('Disabled');
  await staffPage.getByRole('link', { name: 'All Documents', exact: true }).click();
  await expectSignedOut(staffPage);
  const account = { email: staff.email, password: staff.password };
  expect((await send(server.url, 'POST', '/api/auth/login', undefined, account)).status).toBe(401);
  await choose(page, staff.email, 'Enable');
  await confirm(page, 'Enable', 'can sign in again');
  await expect(rowOf(page, staff.email)).toContainText('Active');
  await Api.signIn(server.url, account);
});

test('whoever forgot the password or lost the phone is helped, and signed out meanwhile', async ({
  adminPage: page,
  staffPage,
  server,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await enableMfa(server.url, staff);
  await staffPage.goto('/dashboard');
  await open(page, staff.email);
  await choose(page, staff.email, 'Reset MFA');
  await confirm(page, 'Reset MFA', 'Do this only when you are sure who is asking.');
  await expect(page.getByText('MFA reset successfully')).toBeVisible();
  await expect(rowOf(page, staff.email)).toContainText('Off');
  await choose(page, staff.email, 'New temporary password');
  const consequence = 'stops working, and they are signed out everywhere';
  await confirm(page, 'New temporary password', consequence, 'Make a new password');
  const password = (await page.getByRole('code').textContent()) ?? '';
  await staffPage.getByRole('link', { name: 'All Customers', exact: true }).click();
  await expectSignedOut(staffPage);
  const account = { email: staff.email, password };
  const signedIn = await send(server.url, 'POST', '/api/auth/login', undefined, account);
  expect(signedIn.body).toMatchObject({ require_password_change: true });

  await choose(page, staff.email, 'End all sessions');
  await confirm(page, 'End all sessions', 'is signed out on every device');
  await expect(page.getByText('Signed out everywhere')).toBeVisible();
  const { status } = await send(server.url, 'GET', '/api/auth/verify', signedIn.body.token);
  expect(status).toBe(401);
});

test('the own account and the last administrator are safe, and a failure says so', async ({
  adminPage: page,
  admin,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await open(page, admin.email);
  await rowOf(page, admin.email).getByRole('button').click();
  await expect(page.getByRole('menuitem')).toHaveText(['Change name or role', 'End all sessions']);
  const last = { error: 'This is the last active administrator: make another one first', code: 'LAST_ADMIN' };
  const path = `/api/users/${admin.user.id}`;
  await answerCalls(page, 'PUT', path, { status: 409, body: last });
  await page.getByRole('menuitem', { name: 'Change name or role' }).click();
  const dialog = page.getByRole('dialog', { name: `Edit ${admin.email}` });
  await dialog.getByLabel('Role').selectOption('Staff');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(last.error);
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await open(page, staff.email);
  await answerCalls(page, 'POST', `/api/users/${staff.user.id}/disable`, failure);
  await choose(page, staff.email, 'Disable');
  await confirm(page, 'Disable', 'can no longer sign in');
  await expect(page.getByRole('alert')).toHaveText('The change failed. Please try again.');
  await expect(rowOf(page, staff.email)).toContainText('Active');
  const { restore } = await answerCalls(page, 'GET', '/api/users', failure);
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('Error loading users. Please try again.');
  await restore();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(rowOf(page, staff.email)).toBeVisible();
});

test('a change of rights long after the sign-in asks who it is', async ({
  adminPage: page,
  admin,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const required = { error: 'Please confirm that it is you', code: 'CONFIRMATION_REQUIRED' };
  const { restore } = await answerCalls(page, 'PUT', `/api/users/${staff.user.id}`, {
    status: 403,
    body: required,
  });
  await open(page, staff.email);
  await choose(page, staff.email, 'Change name or role');
  const edit = page.getByRole('dialog', { name: `Edit ${staff.email}` });
  await edit.getByLabel('Role').selectOption('Admin');
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(dialog.getByRole('textbox', { name: 'Password' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(edit.getByRole('alert')).toHaveText(required.error);
  await expect(edit.getByLabel('Role')).toHaveValue('admin');
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await restore();
  await dialog.getByRole('textbox', { name: 'Password' }).fill(admin.password);
  await page.keyboard.press('Enter');
  await expect(edit).toHaveCount(0);
  await expect(rowOf(page, staff.email)).toContainText('Admin');
});

test('whoever is not signed in sees neither users nor the log, and nothing is asked for them', async ({
  page,
}) => {
  const calls = [recordCalls(page, 'GET', '/api/users'), recordCalls(page, 'GET', '/api/activity')];
  for (const path of ['/admin/users', '/admin/activity', '/admin/invite']) {
    await page.goto(path);
    await expectSignedOut(page);
  }
  expect(calls.flat()).toHaveLength(0);
});

test('staff are refused by the screen, which asks nothing, and by the server', async ({
  staffPage: page,
  server,
  staff,
  admin,
}) => {
  const calls = recordCalls(page, 'GET', '/api/users');
  await page.goto('/admin/users');
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Users', exact: true })).toHaveCount(0);
  expect(calls).toHaveLength(0);
  const path = `/api/users/${admin.user.id}`;
  const actions = ['resend-invitation', 'withdraw-invitation', 'reset-password', 'reset-mfa', 'end-sessions'];
  const byHand: [string, string][] = [
    ['GET', '/api/users'],
    ['GET', path],
    ['PUT', path],
    ...[...actions, 'disable', 'enable'].map((action): [string, string] => ['POST', `${path}/${action}`]),
  ];
  for (const [method, to] of byHand) {
    expect((await send(server.url, method, to, staff.token)).status, `${method} ${to}`).toBe(403);
    expect((await send(server.url, method, to)).status, `${method} ${to}`).toBe(401);
  }
});

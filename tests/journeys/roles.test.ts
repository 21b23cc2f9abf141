import type { Page } from '@playwright/test';
import { recordCalls } from './support/calls.ts';
import { adminActions, adminPaths, expectScreen, signedInPaths } from './support/screens.ts';
import { expectSignedOut } from './support/session.ts';
import { expect, test } from './support/test.ts';

test('only signed-in users get past /login, and no data is requested for others', async ({ page }) => {
  const calls = ['/api/users', '/api/activity'].map((path) => recordCalls(page, 'GET', path));
  const ids = { customer: 1, document: 1 };
  for (const path of ['/', '/nowhere', ...signedInPaths(ids), ...adminPaths(ids)]) {
    await page.goto(path);
    await expectSignedOut(page);
  }
  expect(calls.flat()).toHaveLength(0);
});

const ownTexts: Record<string, string> = {
  '/customers/new': "You don't have permission to create customers.",
  '/customers/1/edit': "You don't have permission to edit customers.",
  '/documents/upload': "You don't have permission to upload documents.",
  '/documents/1/edit': "You don't have permission to edit documents.",
};

test('staff are denied the screens of administrators', async ({ staffPage: page }) => {
  const calls = ['/api/users', '/api/activity'].map((path) => recordCalls(page, 'GET', path));
  const goBack = (tab: Page) => tab.getByRole('button', { name: 'Go Back' }).click();
  await page.goto('/customers/all');
  for (const path of adminPaths({ customer: 1, document: 1 })) {
    await page.goto(path);
    await expectScreen(page, 'Access Denied');
    const text = ownTexts[path] ?? "You don't have permission to access this page.";
    await expect(page.getByRole('main').getByText(text, { exact: true })).toBeVisible();
    await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
    await goBack(page);
    await expect(page).toHaveURL('/customers/all');
  }
  const tab = await page.context().newPage();
  await tab.goto('/admin/invite');
  // The history is empty.
  await goBack(tab);
  await expect(tab).toHaveURL('/dashboard');
  expect(calls.flat()).toHaveLength(0);
});

test('administrators are offered what staff are not', async ({ staffPage, adminPage, api }) => {
  const customer = await api.makeCustomer();
  const { id, filename } = await api.makeDocument(customer.id);
  // Each with the content that loads last; before it, no action could be offered.
  const screens: [path: string, content: string, actions: string[]][] = [
    ['/dashboard', 'Search Customers', ['Upload Documents', 'Invite user']],
    ['/customers', 'No search performed', ['Add Customer']],
    [`/customers?${new URLSearchParams({ name: customer.name })}`, customer.email ?? '', ['Add Customer']],
    ['/customers/all', 'Showing 1 to', ['Add Customer']],
    [
      `/customers/${customer.id}`,
      filename,
      ['Edit information', 'Upload document', 'Upload files', `Delete ${filename}`, 'Show history'],
    ],
    ['/documents', 'No search performed', ['Upload Document']],
    [`/documents?${new URLSearchParams({ filename })}`, filename, [`Delete ${filename}`]],
    ['/documents/all', 'Showing 1 to', ['Upload Document', `Delete ${filename}`]],
    [`/documents/${id}`, 'View in Browser', ['Edit', 'Delete', 'Show history']],
    ['/profile', 'Save Changes', []],
  ];
  for (const [path, content, actions] of screens) {
    await staffPage.goto(path);
    await expect(staffPage.getByRole('main').getByText(content).first()).toBeVisible();
    await expect(adminActions(staffPage), path).toHaveCount(0);
    if (actions.length > 0) await adminPage.goto(path);
    for (const name of actions) {
      const action = adminPage.getByRole('link', { name }).or(adminPage.getByRole('button', { name }));
      await expect(action.first(), `${name} on ${path}`).toBeVisible();
    }
  }
  for (const page of [staffPage, adminPage]) {
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('option', { name: 'Dashboard' })).toBeVisible();
  }
  await expect(adminActions(staffPage)).toHaveCount(0);
  for (const name of ['Add Customer', 'Upload Document', 'Invite user', 'Activity']) {
    await expect(adminPage.getByRole('option', { name })).toBeVisible();
  }
});

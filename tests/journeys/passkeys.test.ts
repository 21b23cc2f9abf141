import type { Page } from '@playwright/test';
import { send } from './support/api.ts';
import { answerCalls } from './support/calls.ts';
import { firstAdmin, startServer } from './support/server.ts';
import { expectSignedOut, signInAs } from './support/session.ts';
import { expect, failedCall, test } from './support/test.ts';
import { addVirtualAuthenticator } from './support/virtual-authenticator.ts';

// Its passkeys stay in the tab.
test.use({ ownAccounts: true, newTabs: true });

/** Browsers allow passkeys on addresses with a name only. */
const named = (url: string) => url.replace('127.0.0.1', 'localhost');

const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Use a passkey' });
const listed = (page: Page) => page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Continue' }).click();
}

test('a passkey is added, named and used instead of password and code, and removed', async ({
  page,
  server,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const url = named(server.url);
  const device = await addVirtualAuthenticator(page);
  await page.goto(`${url}/profile`);
  await signInAs(page, staff);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile');
  await addPasskey(page, 'My laptop');
  await expect(page.getByText('Passkey added successfully')).toBeVisible();
  await expect(listed(page)).toHaveText([/My laptop.*never used/]);
  await page.getByRole('button', { name: 'Rename My laptop' }).click();
  await page.getByLabel('Name', { exact: true }).last().fill('Work laptop');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(listed(page)).toHaveText([/Work laptop/]);
  await addPasskey(page, 'Again');
  await expect(page.getByRole('alert')).toHaveText('This device has a passkey already.');
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await passkeyButton(page).click();
  await expect(page).toHaveURL(`${url}/dashboard`);
  await page.goto(`${url}/profile`);
  await expect(listed(page)).toHaveText([/Work laptop.*last used/]);

  await page.getByRole('button', { name: 'Remove Work laptop' }).click();
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await expect(listed(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await passkeyButton(page).click();
  await expect(page.getByRole('alert')).toHaveText('This passkey does not open an account here');
  await device.remove();
});

test('a wrong finger adds nothing and opens nothing, and can be tried again', async ({
  page,
  server,
  staff,
}) => {
  const url = named(server.url);
  const device = await addVirtualAuthenticator(page);
  await page.goto(`${url}/profile`);
  await signInAs(page, staff);
  await device.setVerified(false);
  await addPasskey(page, 'My laptop');
  await expect(page.getByRole('alert')).toHaveText('Nothing was added. You can try again.');
  await device.setVerified(true);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(listed(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await device.setVerified(false);
  await passkeyButton(page).click();
  await expect(passkeyButton(page)).toBeEnabled();
  await expectSignedOut(page);
  await device.setVerified(true);
  await passkeyButton(page).click();
  await expect(page).toHaveURL(`${url}/dashboard`);
});

test('passkeys are offered only where they can work', async ({ page, server, staffPage, expectConsole }) => {
  expectConsole(failedCall);
  await page.goto(`${server.url}/login`);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(passkeyButton(page)).toHaveCount(0);
  const hint = `Passkeys need a host name: open ${named(server.url)}`;
  await expect(page.getByText(hint)).toBeVisible();
  await staffPage.goto('/profile');
  await expect(staffPage.getByText(hint)).toBeVisible();
  await expect(staffPage.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0);
  await answerCalls(staffPage, 'GET', '/api/auth/passkeys', { status: 404, body: {} });
  await staffPage.goto('/profile');
  await expect(staffPage.getByRole('heading', { name: 'Your details' })).toBeVisible();
  await expect(staffPage.getByRole('heading', { name: 'Passkeys' })).toHaveCount(0);
});

test('with the password alone, a passkey confirms before another factor is added', async ({
  page,
  server,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const url = named(server.url);
  const device = await addVirtualAuthenticator(page);
  await page.goto(`${url}/profile`);
  await signInAs(page, staff);
  await addPasskey(page, 'My laptop');
  await expect(listed(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.goto(`${url}/profile`);
  await signInAs(page, staff);
  await page.getByRole('button', { name: 'Set up MFA' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(dialog).toContainText('You signed in with your password alone.');
  await device.setVerified(false);
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(dialog.getByRole('button', { name: 'Use a passkey' })).toBeEnabled();
  await device.setVerified(true);
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
});

test('where a second factor is required, one is set up before anything else', async ({
  page,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const server = await startServer({ REQUIRE_MFA: 'all' });
  try {
    const url = named(server.url);
    await addVirtualAuthenticator(page);
    await page.goto(`${url}/customers/all`);
    await signInAs(page, firstAdmin);
    const demand = page.getByRole('alert').filter({ hasText: 'A second factor is required here.' });
    await expect(demand).toBeVisible();
    await expect(page).toHaveURL(`${url}/profile`);
    await page.getByRole('link', { name: 'All Documents', exact: true }).click();
    await expect(page).toHaveURL(`${url}/profile`);
    await expect(demand).toBeVisible();
    const token = await page.evaluate(() => localStorage.getItem('authToken'));
    const byHand = await send(server.url, 'GET', '/api/customers', token ?? '');
    expect(byHand.body.code).toBe('MFA_SETUP_REQUIRED');
    await addPasskey(page, 'My laptop');
    await expect(page.getByText('Passkey added successfully')).toBeVisible();
    await expect(demand).toHaveCount(0);
    await page.getByRole('link', { name: 'All Documents', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Documents');

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.goto(`${url}/customers/all`);
    await signInAs(page, firstAdmin);
    await demand.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(demand).toHaveCount(0);
    await page.getByRole('link', { name: 'All Documents', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Documents');
  } finally {
    await page.close();
    await server.stop();
  }
});

import type { Page } from '@playwright/test';
import { answerCalls } from './support/calls.ts';
import { expectSignedOut, signInAs } from './support/session.ts';
import { expect, test } from './support/test.ts';

// Its passkeys stay in the tab.
test.use({ ownAccounts: true, newTabs: true, callsMayFail: true });

/** Browsers allow passkeys on addresses with a name only. */
const named = (url: string) => url.replace('127.0.0.1', 'localhost');

const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Use a passkey' });
const listed = (page: Page) => page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');
const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out', exact: true }).click();

/** Chromium's own: it makes passkeys, and answers at once in the name of its user. */
async function addVirtualAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Whether the finger or the PIN is right from now on. */
    setVerified: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Continue' }).click();
}

test('a passkey is added, renamed, used and removed', async ({ page, server, staff }) => {
  const url = named(server.url);
  const device = await addVirtualAuthenticator(page);
  const alert = page.getByRole('alert');
  await page.goto(`${url}/profile`);
  await signInAs(page, staff);
  await device.setVerified(false);
  await addPasskey(page, 'My laptop');
  await expect(alert).toHaveText('Nothing was added. You can try again.');
  await device.setVerified(true);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Passkey added successfully')).toBeVisible();
  await expect(listed(page)).toHaveText([/My laptop.*never used/]);
  await page.getByRole('button', { name: 'Rename My laptop' }).click();
  await page.getByLabel('Name', { exact: true }).last().fill('Work laptop');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(listed(page)).toHaveText([/Work laptop/]);
  await addPasskey(page, 'Again');
  await expect(alert).toHaveText('This device has a passkey already.');
  await page.getByRole('button', { name: 'Cancel' }).click();

  await signOut(page);
  await device.setVerified(false);
  await passkeyButton(page).click();
  await expect(passkeyButton(page)).toBeEnabled();
  await expectSignedOut(page);
  await device.setVerified(true);
  await passkeyButton(page).click();
  await expect(page).toHaveURL(`${url}/dashboard`);
  await page.goto(`${url}/profile`);
  await expect(listed(page)).toHaveText([/Work laptop.*last used/]);

  await signOut(page);
  await page.goto(`${url}/profile`);
  await signInAs(page, staff);
  await page.getByRole('button', { name: 'Set up MFA' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(dialog).toContainText('You signed in with your password alone.');
  await device.setVerified(false);
  await passkeyButton(page).click();
  await expect(passkeyButton(page)).toBeEnabled();
  await device.setVerified(true);
  await passkeyButton(page).click();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Remove Work laptop' }).click();
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await expect(listed(page)).toHaveCount(0);
  await signOut(page);
  await passkeyButton(page).click();
  await expect(alert).toHaveText('This passkey does not open an account here');
});

test('passkeys are offered only where they can work', async ({ page, server, staffPage }) => {
  await page.goto(`${server.url}/login`, { waitUntil: 'networkidle' });
  const hint = `Passkeys need a host name: open ${named(server.url)}`;
  await expect(page.getByText(hint)).toBeVisible();
  await expect(passkeyButton(page)).toHaveCount(0);
  await staffPage.goto('/profile');
  await expect(staffPage.getByText(hint)).toBeVisible();
  await expect(staffPage.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0);
  // Another server may have neither passkeys nor sessions to show.
  for (const path of ['/api/auth/passkeys', '/api/auth/sessions']) {
    await answerCalls(staffPage, 'GET', path, { status: 404, body: {} });
  }
  await staffPage.reload();
  await expect(staffPage.getByRole('heading', { name: 'Your details' })).toBeVisible();
  await expect(staffPage.getByRole('heading', { name: 'Passkeys' })).toHaveCount(0);
  await expect(staffPage.getByRole('heading', { name: 'Where you are signed in' })).toHaveCount(0);
});

test('where a second factor is required, it is set up first', async ({ page, server, staff }) => {
  const url = named(server.url);
  await addVirtualAuthenticator(page);
  const demand = page.getByRole('alert').filter({ hasText: 'A second factor is required here.' });
  /** As a server answers that requires a second factor of this user. */
  const requireFactor = () =>
    answerCalls(page, 'GET', '/api/customers', { status: 403, body: { code: 'MFA_SETUP_REQUIRED' } });
  const openCustomers = () => page.getByRole('link', { name: 'All Customers', exact: true }).click();
  const before = await requireFactor();
  await page.goto(`${url}/customers/all`);
  await signInAs(page, staff);
  await expect(demand).toBeVisible();
  await expect(page).toHaveURL(`${url}/profile`);
  await openCustomers();
  await expect(page).toHaveURL(`${url}/profile`);
  await addPasskey(page, 'My laptop');
  await expect(page.getByText('Passkey added successfully')).toBeVisible();
  await expect(demand).toHaveCount(0);
  await before.restore();
  await openCustomers();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Customers');
  await signOut(page);
  const again = await requireFactor();
  await page.goto(`${url}/customers/all`);
  await signInAs(page, staff);
  await demand.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(demand).toHaveCount(0);
  await again.restore();
  await openCustomers();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Customers');
});

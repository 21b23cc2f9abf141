import { OidcProvider, oidcClient } from '@customer-database/testkit/oidc-provider';
import { freePort } from '@customer-database/testkit/ports';
import type { Page } from '@playwright/test';
import { look } from './support/look.ts';
import { firstAdmin, startServer } from './support/server.ts';
import { expectSignedOut, kept, signInAs } from './support/session.ts';
import { expect, test } from './support/test.ts';

test.use({ newTabs: true, callsMayFail: true });

// Wide last, because the journey continues at that size.
const looks = ['narrow-dark', 'wide-light'] as const;

const companyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with Acme' });

async function chooseAtCompany(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Who are you?' })).toBeVisible();
  await page.getByRole('link', { name }).click();
}

test('an invited user signs in with the company, the only way in', async ({ page }) => {
  test.slow();
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const provider = await OidcProvider.start(publicUrl);
  const server = await startServer({
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: oidcClient.id,
    OIDC_CLIENT_SECRET: oidcClient.secret,
    OIDC_NAME: 'Acme',
    PASSWORD_SIGN_IN: 'off',
  });
  const email = 'nora@example.com';
  const signOut = () => page.getByRole('button', { name: 'Sign out', exact: true }).click();
  try {
    await test.step('an administrator invites without a password', async () => {
      await page.goto(`${server.url}/login`);
      await expect(companyButton(page)).toBeVisible();
      await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0);
      await look(page, 'company-only', looks);
      // For the first administrator, and users who have a password of the operator.
      await page.goto(`${server.url}/login?password`);
      await expect(companyButton(page)).toBeVisible();
      await look(page, 'company-and-password', looks);
      await signInAs(page, firstAdmin);
      await expect(page).toHaveURL(`${server.url}/dashboard`);
      await page.goto(`${server.url}/admin/invite`);
      await page.getByLabel('Email').fill(email);
      await page.getByRole('button', { name: 'Send invitation' }).click();
      await expect(page.getByText('Invitation sent successfully')).toBeVisible();
      await look(page, 'company-invited', looks);
      await expect(page.getByText(`please tell ${email} yourself to sign in with Acme here`)).toBeVisible();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy message' }).click();
      const message = await page.evaluate(() => navigator.clipboard.readText());
      expect(message).toContain(`Sign in at: ${server.url}/login\nEmail: ${email}\nSign in with: Acme\n`);
      await page.goto(`${server.url}/admin/users`);
      await page.getByRole('button', { name: `Actions for ${email.split('@')[0]}` }).click();
      await expect(page.getByRole('menuitem', { name: 'Send invitation again' })).toBeVisible();
      await expect(page.getByRole('menuitem', { name: 'New temporary password' })).toHaveCount(0);
      await page.keyboard.press('Escape');
      await signOut();
    });

    const stranger = { sub: 'other', name: 'Stranger', email: 'a@b.example', email_verified: true };
    provider.people.set('other', stranger);
    provider.people.set('nora', { sub: 'nora', name: 'Nora', email, email_verified: true });

    await test.step('a refused sign-in says why', async () => {
      await page.goto(`${server.url}/customers/all?page=2`);
      await companyButton(page).click();
      await chooseAtCompany(page, 'Stranger');
      const refused = 'You have no access here. Ask an administrator for an invitation.';
      await expect(page.getByRole('alert')).toHaveText(refused);
      await expect(page).toHaveURL(`${server.url}/login`);
      expect((await kept(page)).local).not.toHaveProperty('authToken');
      await page.context().clearCookies();
      provider.forge = (claims) => ({ ...claims, nonce: 'another' });
      await companyButton(page).click();
      await chooseAtCompany(page, 'Nora');
      const failed = 'The sign-in at your company did not succeed. Please try again.';
      await expect(page.getByRole('alert')).toHaveText(failed);
      provider.forge = undefined;
      await page.context().clearCookies();
    });

    await test.step('the invited user gets to the requested address', async () => {
      await companyButton(page).click();
      await chooseAtCompany(page, 'Nora');
      await expect(page).toHaveURL(`${server.url}/customers/all?page=2`);
      await expect(page.getByRole('link', { name: email.split('@')[0] ?? '' })).toBeVisible();
      const addresses = () => performance.getEntries().map(({ name }) => name);
      expect((await page.evaluate(addresses)).join()).not.toMatch(/token=/);
    });

    await test.step('a sensitive change requires another sign-in there', async () => {
      await page.goto(`${server.url}/profile`);
      await expect(page.getByRole('button', { name: 'Set up MFA' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Passkeys' })).toHaveCount(0);
      await expect(page.getByRole('link', { name: 'Change password' })).toHaveCount(0);
      // The provider did not send the time of the authentication.
      await page.getByRole('button', { name: 'Set up MFA' }).click();
      const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
      await expect(dialog.getByRole('textbox')).toHaveCount(0);
      await look(page, 'company-confirm', looks);
      await dialog.getByRole('button', { name: 'Sign in with Acme again' }).click();
      await chooseAtCompany(page, 'Nora');
      await expect(page).toHaveURL(`${server.url}/profile`);
      await page.getByRole('button', { name: 'Set up MFA' }).click();
      await expect(page.getByLabel('MFA code')).toBeVisible();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await signOut();
      await expectSignedOut(page);
    });
  } finally {
    await server.stop();
    await provider.stop();
  }
});

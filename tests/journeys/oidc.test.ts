import { OidcProvider, oidcClient } from '@customer-database/testkit/oidc-provider';
import { freePort } from '@customer-database/testkit/ports';
import type { Page } from '@playwright/test';
import { Api } from './support/api.ts';
import { look } from './support/look.ts';
import { firstAdmin, type Server, startServer } from './support/server.ts';
import { expectSignedOut, kept, signInAs } from './support/session.ts';
import { expect, test } from './support/test.ts';

test.use({ newTabs: true, callsMayFail: true });

// Wide at last: the journeys go on there.
const looks = ['narrow-dark', 'wide-light'] as const;

type Company = { provider: OidcProvider; server: Server };

/** A server whose company has a sign-in of its own; people choose there who they are. */
async function withCompany(env: Record<string, string>, work: (company: Company) => Promise<void>) {
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
    ...env,
  });
  try {
    await work({ provider, server });
  } finally {
    await server.stop();
    await provider.stop();
  }
}

const companyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with Acme' });

async function chooseAtCompany(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Who are you?' })).toBeVisible();
  await page.getByRole('link', { name }).click();
}

test('an invited user signs in with the company', async ({ page }) => {
  await withCompany({}, async ({ provider, server }) => {
    const { email } = await (await Api.asFirstAdmin(server.url)).invite('staff', 'Nora');
    provider.people.set('nora', { sub: 'nora', name: 'Nora', email, email_verified: true });
    provider.people.set('other', {
      sub: 'other',
      name: 'Stranger',
      email: 'a@b.example',
      email_verified: true,
    });
    await page.goto(`${server.url}/customers/all?page=2`);
    await companyButton(page).click();
    await chooseAtCompany(page, 'Stranger');
    await expect(page.getByRole('alert')).toHaveText(
      'You have no access here. Ask an administrator for an invitation.',
    );
    await expect(page).toHaveURL(`${server.url}/login`);
    expect((await kept(page)).local).not.toHaveProperty('authToken');
    await look(page, 'company-refused', looks);
    await page.context().clearCookies();
    provider.forge = (claims) => ({ ...claims, nonce: 'another' });
    await companyButton(page).click();
    await chooseAtCompany(page, 'Nora');
    const failed = 'The sign-in at your company did not succeed. Please try again.';
    await expect(page.getByRole('alert')).toHaveText(failed);
    provider.forge = undefined;
    await page.context().clearCookies();
    await companyButton(page).click();
    await chooseAtCompany(page, 'Nora');
    await expect(page).toHaveURL(`${server.url}/customers/all?page=2`);
    await expect(page.getByRole('link', { name: /Nora/ })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Customers');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await expectSignedOut(page);
    // No token was ever in an address.
    expect(
      await page.evaluate(() =>
        performance
          .getEntries()
          .map(({ name }) => name)
          .join(),
      ),
    ).not.toMatch(/token=/);
  });
});

test('where it is the only way in, no password is asked for', async ({ page }) => {
  await withCompany({ PASSWORD_SIGN_IN: 'off' }, async ({ provider, server }) => {
    const email = 'nora@example.com';
    await page.goto(`${server.url}/login`);
    await expect(companyButton(page)).toBeVisible();
    await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0);
    await look(page, 'company-only', looks);
    // The first administrator, and whoever has a password of the operator.
    await page.goto(`${server.url}/login?password`);
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
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();

    provider.people.set('nora', { sub: 'nora', name: 'Nora', email, email_verified: true });
    await companyButton(page).click();
    await chooseAtCompany(page, 'Nora');
    await expect(page).toHaveURL(`${server.url}/dashboard`);
    await page.goto(`${server.url}/profile`);
    await expect(page.getByRole('button', { name: 'Set up MFA' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Passkeys' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Change password' })).toHaveCount(0);

    // The provider did not say when they signed in there: only another time confirms that it is them.
    await page.getByRole('button', { name: 'Set up MFA' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
    await expect(dialog.getByRole('textbox')).toHaveCount(0);
    await look(page, 'company-confirm', looks);
    await dialog.getByRole('button', { name: 'Sign in with Acme again' }).click();
    await chooseAtCompany(page, 'Nora');
    await expect(page).toHaveURL(`${server.url}/profile`);
    await page.getByRole('button', { name: 'Set up MFA' }).click();
    await expect(page.getByLabel('MFA code')).toBeVisible();
  });
});

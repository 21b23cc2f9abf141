import type { Page } from '@playwright/test';
import { recordCalls } from './support/calls.ts';
import { look } from './support/look.ts';
import { startServer, withoutAdmin } from './support/server.ts';
import { expectSignedOut } from './support/session.ts';
import { expect, test } from './support/test.ts';

test.use({ callsMayFail: true });

const founder = { name: 'Ada Founder', email: 'ada@example.com', password: 'first of all' };
const create = (page: Page) => page.getByRole('button', { name: 'Create administrator' });
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

async function fill(page: Page, { name, email, password }: typeof founder): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
}

test('the printed link makes the first administrator, and no second one', async ({ page, openAs }) => {
  const server = await startServer(withoutAdmin);
  const link = /Create the first administrator at (http[^\s"]+)/.exec(server.output())?.[1] ?? '';
  const setup_code = new URL(link).hash.replace('#setup_code=', '');
  const late = await openAs();
  try {
    const registered = recordCalls(page, 'POST', '/api/auth/register');
    const signedIn = recordCalls(page, 'POST', '/api/auth/login');
    await page.goto(`${server.url}/customers`);
    await expect(heading(page)).toHaveText('Create the first administrator');
    await expect(page).toHaveTitle('Create the first administrator · Customer Database');
    await look(page, 'first-administrator', ['narrow-dark', 'wide-light']);
    const email = page.getByLabel('Email');
    const password = page.getByLabel('Password', { exact: true });
    const code = page.getByLabel('Setup code');
    await create(page).click();
    await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Name is required');
    await expect(email).toHaveAccessibleDescription('Email is required');
    await expect(password).toHaveAccessibleDescription('Password is required');
    await expect(code).toHaveAccessibleDescription(/Setup code is required/);
    await fill(page, { ...founder, email: 'ada', password: '12345' });
    await code.fill('000000-000000-000000-000000');
    await create(page).click();
    await expect(email).toHaveAccessibleDescription('Invalid email address');
    await expect(password).toHaveAccessibleDescription('Password must be at least 6 characters');
    await fill(page, founder);
    await create(page).click();
    const wrong = /The setup code is not correct\. The server prints it when it starts\./;
    await expect(code).toHaveAccessibleDescription(wrong);

    await late.goto(link);
    await expect(late.getByLabel('Name')).toBeFocused();
    await fill(late, { name: 'Bob Late', email: 'bob@example.com', password: 'slower than Ada' });
    // Opening the link with the form already open fills in the code and keeps the rest.
    await page.goto(link);
    await expect(code).toHaveValue(setup_code);
    // The secret must leave the address bar.
    await expect(page).toHaveURL(`${server.url}/login`);
    await expect(page.getByLabel('Name')).toHaveValue(founder.name);
    await create(page).dblclick();
    await expect(page).toHaveURL(`${server.url}/dashboard`);
    expect(registered.slice(1).map((call) => call.postDataJSON())).toEqual([{ ...founder, setup_code }]);
    const { name: _, ...account } = founder;
    expect(signedIn.map((call) => call.postDataJSON())).toEqual([account]);
    await expect(page.getByRole('link', { name: founder.name })).toContainText('Admin');
    await page.getByRole('button', { name: 'Sign out' }).click();

    await create(late).click();
    await expect(heading(late)).toHaveText('Sign in to your account');
    const closed = 'Registration is closed. Ask an administrator for an invitation.';
    await expect(late.getByRole('alert')).toHaveText(closed);
    await late.goto('about:blank');
    await late.goto(link);
    await expectSignedOut(late);
  } finally {
    // A page with pending requests would log errors.
    await late.close();
    await page.close();
    await server.stop();
  }
});

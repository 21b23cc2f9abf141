import type { Page } from '@playwright/test';
import { send } from './support/api.ts';
import { recordCalls } from './support/calls.ts';
import { type Server, startServer, withoutAdmin } from './support/server.ts';
import { expectSignedOut, kept, signInAs } from './support/session.ts';
import { test as base, expect, failedCall } from './support/test.ts';

/** A server without users. */
const test = base.extend<{ fresh: Server }>({
  fresh: async ({ page }, use) => {
    const server = await startServer(withoutAdmin);
    await use(server);
    // A page with pending requests would log errors.
    await page.close();
    await server.stop();
  },
});

const founder = { name: 'Ada Founder', email: 'ada@example.com', password: 'first of all' };
const setupLink = ({ output }: Server) =>
  /Create the first administrator at (http[^\s"]+)/.exec(output())?.[1] ?? '';
const create = (page: Page) => page.getByRole('button', { name: 'Create administrator' });
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

async function fill(page: Page, { name, email, password }: typeof founder): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
}

test('the printed link makes the first administrator and signs in', async ({ page, fresh }) => {
  const registered = recordCalls(page, 'POST', '/api/auth/register');
  const signedIn = recordCalls(page, 'POST', '/api/auth/login');
  const link = setupLink(fresh);
  const code = new URLSearchParams(new URL(link).hash.slice(1)).get('setup_code');
  await page.goto(link);
  await expect(heading(page)).toHaveText('Create the first administrator');
  await expect(page).toHaveTitle('Create the first administrator · Customer Database');
  await expect(page.getByLabel('Setup code')).toHaveValue(code ?? 'no code');
  // The secret must leave the address bar.
  await expect(page).toHaveURL(`${fresh.url}/login`);
  await expect(page.getByLabel('Name')).toBeFocused();
  await fill(page, founder);
  await create(page).dblclick();
  await expect(page).toHaveURL(`${fresh.url}/dashboard`);
  const { email, password } = founder;
  expect(registered.map((call) => call.postDataJSON())).toEqual([{ ...founder, setup_code: code }]);
  expect(signedIn.map((call) => call.postDataJSON())).toEqual([{ email, password }]);
  expect(JSON.parse((await kept(page)).local.user ?? '')).toMatchObject({ email, role: 'admin' });
  await expect(page.getByRole('link', { name: founder.name })).toContainText('Admin');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(heading(page)).toHaveText('Sign in to your account');
  await page.goto('about:blank');
  await page.goto(link);
  await expect(heading(page)).toHaveText('Sign in to your account');
  await signInAs(page, founder);
  await expect(page).toHaveURL(`${fresh.url}/dashboard`);
});

test('the form shows what is wrong, and a second founder is too late', async ({
  page,
  fresh,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await page.goto(`${fresh.url}/customers`);
  await expect(heading(page)).toHaveText('Create the first administrator');
  await create(page).click();
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Name is required');
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Email is required');
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toHaveAccessibleDescription('Password is required');
  const code = page.getByLabel('Setup code');
  await expect(code).toHaveAccessibleDescription(/Setup code is required/);
  await fill(page, { ...founder, email: 'ada', password: '12345' });
  await code.fill('000000-000000-000000-000000');
  await create(page).click();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Invalid email address');
  await expect(password).toHaveAccessibleDescription('Password must be at least 6 characters');
  await fill(page, founder);
  await create(page).click();
  await expect(code).toHaveAccessibleDescription(
    /The setup code is not correct\. The server prints it when it starts\./,
  );

  const setup_code = new URL(setupLink(fresh)).hash.replace('#setup_code=', '');
  const other = { name: 'Bob Faster', email: 'bob@example.com', password: 'quicker than Ada', setup_code };
  expect((await send(fresh.url, 'POST', '/api/auth/register', undefined, other)).status).toBe(201);
  // Opening the link with the form already open fills in the code and keeps the rest.
  await page.goto(setupLink(fresh));
  await expect(code).toHaveValue(setup_code);
  await expect(page).toHaveURL(`${fresh.url}/login`);
  await expect(page.getByLabel('Name')).toHaveValue(founder.name);
  await create(page).click();
  await expect(heading(page)).toHaveText('Sign in to your account');
  await expect(page.getByRole('alert')).toHaveText(
    'Registration is closed. Ask an administrator for an invitation.',
  );
  await page.reload();
  await expectSignedOut(page);
});

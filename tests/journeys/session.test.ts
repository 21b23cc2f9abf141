import type { Page } from '@playwright/test';
import { Api, send, unique } from './support/api.ts';
import { answerCalls, holdCalls, holdNextAnswer, recordCalls } from './support/calls.ts';
import { endOnServer, expectSignedOut, kept, signInAs } from './support/session.ts';
import { expect, failedCall, test } from './support/test.ts';

test.use({ ownAccounts: true });

/** Same origin as the screens, but no script runs there that could touch local storage. */
const blankPath = '/health';

test('while the application loads there is a spinner', async ({ staffPage: page }) => {
  const gate = Promise.withResolvers<void>();
  await page.route('**/assets/screens-*.js', async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto('/dashboard', { waitUntil: 'commit' });
  await expect(page.getByRole('status')).toHaveText('Loading');
  gate.resolve();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  await expect(page.getByText('Loading', { exact: true })).toHaveCount(0);
});

test('a token changed or removed in local storage takes effect with the next call', async ({
  staffPage: page,
  server,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const calls = recordCalls(page, 'GET', '/api/documents');
  const other = await Api.signIn(server.url, staff);
  await page.goto('/customers/all', { waitUntil: 'networkidle' });
  await page.evaluate((token) => localStorage.setItem('authToken', token), other.token);
  await page.getByRole('link', { name: 'All Documents', exact: true }).click();
  await expect.poll(() => calls.length).toBe(1);
  expect(calls[0]?.headers().authorization).toBe(`Bearer ${other.token}`);
  await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0);
  await page.evaluate(() => localStorage.removeItem('authToken'));
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await expectSignedOut(page);
});

test('a saved token and user restore the session, also after a reload', async ({
  staffPage: page,
  staff,
}) => {
  const calls = recordCalls(page, 'GET', '/api/customers');
  await page.goto('/customers/all');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Customers');
  await page.reload();
  await expect(page.getByRole('link', { name: staff.user.name })).toBeVisible();
  await expect.poll(() => calls.length).toBe(2);
  for (const call of calls) expect(call.headers().authorization).toBe(`Bearer ${staff.token}`);
});

test('a saved user of four fields restores the session', async ({ staffPage: page, staff }) => {
  const { name, email, phone_number, role } = staff.user;
  await page.goto(blankPath);
  await page.evaluate((user) => localStorage.setItem('user', JSON.stringify(user)), {
    name,
    email,
    phone_number,
    role,
  });
  await page.goto('/profile');
  await expect(page.getByLabel('Email')).toHaveValue(email);
  // The server sends the other fields, as at every start of the application.
  await expect.poll(async () => JSON.parse((await kept(page)).local.user ?? '')).toEqual(staff.user);
});

for (const [what, saved] of Object.entries({
  'is no JSON': '{broken',
  'is no user': '{"name":"Somebody"}',
  'is missing': undefined,
})) {
  test(`a saved user that ${what} is discarded together with the token`, async ({
    staffPage: page,
    expectConsole,
  }) => {
    expectConsole(/The saved session could not be read and was discarded/);
    await page.goto(blankPath);
    await page.evaluate((text) => {
      if (text === undefined) localStorage.removeItem('user');
      else localStorage.setItem('user', text);
    }, saved);
    await page.goto('/dashboard');
    await expectSignedOut(page);
  });
}

test('a role forged in the browser opens nothing', async ({ staffPage: page }) => {
  await page.goto(blankPath);
  await page.evaluate(() => {
    const user = JSON.parse(localStorage.getItem('user') ?? '');
    localStorage.setItem('user', JSON.stringify({ ...user, role: 'admin' }));
  });
  await page.goto('/admin/invite');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Access Denied');
  expect(JSON.parse((await kept(page)).local.user ?? '').role).toBe('staff');
});

const expiries: { call: string; path: string; act?: (page: Page) => Promise<void> }[] = [
  { call: 'the check on arrival', path: '/profile' },
  { call: 'a list', path: '/documents/all' },
  {
    call: 'a search',
    path: '/customers',
    act: async (page) => {
      await page.getByLabel('Name').fill('x');
      await page.getByRole('button', { name: 'Search', exact: true }).click();
    },
  },
  {
    call: 'a saved profile',
    path: '/profile',
    act: (page) => page.getByRole('button', { name: 'Save Changes' }).click(),
  },
  {
    call: 'a changed password',
    path: '/change-password',
    act: async (page) => {
      await page.getByLabel('Current password', { exact: true }).fill('whatever');
      await page.getByLabel('New password', { exact: true }).fill('something else');
      await page.getByLabel('Confirm new password', { exact: true }).fill('something else');
      await page.getByRole('button', { name: 'Change password' }).click();
    },
  },
  {
    call: 'an invitation',
    path: '/admin/invite',
    act: async (page) => {
      await page.getByLabel('Email').fill('new@example.com');
      await page.getByRole('button', { name: 'Send invitation' }).click();
    },
  },
];

for (const { call, path, act } of expiries) {
  test(`a session that ended sends ${call} to /login without a message, and back`, async ({
    adminPage: page,
    server,
    admin,
    expectConsole,
  }) => {
    expectConsole(failedCall);
    if (act) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForLoadState('networkidle');
    }
    await endOnServer(page, server.url, admin.token);
    await (act ? act(page) : page.goto(path));
    await expectSignedOut(page);
    await signInAs(page, admin);
    await expect(page).toHaveURL(({ pathname }) => pathname === path);
  });
}

test('after an expired session the search is restored', async ({
  staffPage: page,
  server,
  staff,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const customer = await api.makeCustomer({ name: unique('Returning') });
  const address = `/customers?${new URLSearchParams({ name: customer.name })}`;
  await page.goto(address);
  await expect(page.getByRole('table')).toContainText(customer.name);
  await endOnServer(page, server.url, staff.token);
  await page.reload();
  await expectSignedOut(page);
  await signInAs(page, staff);
  await expect(page).toHaveURL(address);
  await expect(page.getByLabel('Name')).toHaveValue(customer.name);
  await expect(page.getByRole('table')).toContainText(customer.name);
});

test('a deep link with a query waits for the sign-in', async ({ page, staff }) => {
  await page.goto('/documents?filename=annual%20report#top');
  await expectSignedOut(page);
  await signInAs(page, staff);
  await expect(page).toHaveURL('/documents?filename=annual%20report#top');
  await expect(page.getByLabel('Filename')).toHaveValue('annual report');
});

test('a remembered address is only for its owner, if they may open it', async ({
  page,
  server,
  admin,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await page.goto('/admin/invite');
  await expectSignedOut(page);
  await signInAs(page, staff);
  await expect(page).toHaveURL('/dashboard');
  await page.getByRole('link', { name: 'All Customers', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Customers');
  const { local } = await kept(page);
  await endOnServer(page, server.url, local.authToken ?? '');
  await page.getByRole('link', { name: 'All Documents', exact: true }).click();
  await expectSignedOut(page);
  await page.reload();
  await signInAs(page, admin);
  await expect(page.getByRole('link', { name: admin.user.name })).toBeVisible();
  await expect(page).toHaveURL('/dashboard');
});

test('signing out tells the server, clears the session and starts over', async ({
  staffPage: page,
  server,
  staff,
}) => {
  const calls = recordCalls(page, 'POST', '/api/auth/logout');
  await page.goto('/documents/all');
  await page.getByRole('link', { name: 'All Customers', exact: true }).click();
  await expect(page).toHaveURL('/customers/all');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expectSignedOut(page);
  expect(calls).toHaveLength(1);
  await calls[0]?.response();
  expect((await send(server.url, 'GET', '/api/auth/verify', staff.token)).status).toBe(401);
  await page.goBack();
  await expectSignedOut(page);
  await signInAs(page, staff);
  await expect(page).toHaveURL('/dashboard');
});

test('signing out works when the server does not answer', async ({ staffPage: page, expectConsole }) => {
  expectConsole(failedCall);
  await page.goto('/dashboard');
  await answerCalls(page, 'POST', '/api/auth/logout', 'no answer');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expectSignedOut(page);
});

test('signing out waits neither for the server nor for what is still loading', async ({
  staffPage: page,
  server,
  staff,
}) => {
  const signOuts = recordCalls(page, 'POST', '/api/auth/logout');
  const signingOut = await holdCalls(page, '/api/auth/logout');
  const loading = await holdCalls(page, '/api/customers');
  await page.goto('/customers/all');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expectSignedOut(page);
  signingOut.release();
  expect((await signOuts[0]?.response())?.status()).toBe(200);
  expect((await send(server.url, 'GET', '/api/auth/verify', staff.token)).status).toBe(401);
  loading.release();
  await signInAs(page, staff);
  await expect(page).toHaveURL('/dashboard');
});

test('signing out in one tab signs out in the others, signing in signs in', async ({
  staffPage: first,
  staff,
}) => {
  await first.goto('/dashboard');
  const second = await first.context().newPage();
  await second.goto('/customers/all', { waitUntil: 'networkidle' });
  await first.getByRole('button', { name: 'Sign out' }).click();
  await expectSignedOut(second);
  await expectSignedOut(first);
  await signInAs(second, staff);
  await expect(second).toHaveURL('/dashboard');
  await expect(first).toHaveURL('/dashboard');
});

test('a call refused because another tab signed out starts over too', async ({
  staffPage: first,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await first.goto('/dashboard');
  const second = await first.context().newPage();
  const loading = await holdCalls(second, '/api/customers');
  // This tab learns of it from the server only.
  await second.addInitScript(() => addEventListener('storage', (event) => event.stopImmediatePropagation()));
  await second.goto('/customers/all');
  const ended = first.waitForResponse('/api/auth/logout');
  await first.getByRole('button', { name: 'Sign out' }).click();
  await expectSignedOut(first);
  await ended;
  loading.release();
  await expectSignedOut(second);
  await signInAs(second, staff);
  await expect(second).toHaveURL('/dashboard');
});

test('the next user in the same browser sees nothing of the one before', async ({
  adminPage: page,
  admin,
  staff,
}) => {
  await page.goto('/profile');
  await expect(page.getByLabel('Email')).toHaveValue(admin.email);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signInAs(page, staff);
  await expect(page).toHaveURL('/dashboard');
  await page.getByRole('link', { name: staff.user.name }).click();
  await expect(page.getByLabel('Email')).toHaveValue(staff.email);
  await expect(page.getByText(admin.user.name)).toHaveCount(0);
});

test('a late response about one user does not affect the next one', async ({
  adminPage: page,
  admin,
  staff,
}) => {
  const before = await holdNextAnswer(page, '/api/auth/verify');
  await page.goto('/dashboard');
  await before.answered;
  await page.getByRole('button', { name: 'Sign out' }).click();
  const answerAboutNext = page.waitForResponse('/api/auth/verify');
  await signInAs(page, staff);
  await answerAboutNext;
  await before.release();
  await page.getByRole('link', { name: 'All Customers', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Customers');
  await expect(page.getByRole('link', { name: staff.user.name })).toBeVisible();
  await expect(page.getByText(admin.user.name)).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Add Customer' })).toHaveCount(0);
});

test('a required password change is demanded wherever the user goes', async ({
  api,
  server,
  openAs,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const invited = await Api.signIn(server.url, await api.invite('staff'));
  const page = await openAs(invited);
  for (const path of ['/dashboard', '/customers/all', '/documents/all']) {
    await page.goto(path);
    await expect(page).toHaveURL('/change-password');
    await page.waitForLoadState('networkidle');
    expect((await kept(page)).local).not.toHaveProperty('require_password_change');
  }
  await page.getByRole('link', { name: 'All Customers', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Change password');
  await expect(page).toHaveURL('/change-password');
});

test('a stored demand to change the password is honoured, and ends with the session', async ({
  page,
  staff,
}) => {
  const demand = () => page.evaluate(() => localStorage.setItem('require_password_change', '1'));
  await page.goto('/login');
  await demand();
  await signInAs(page, staff);
  await expect(page).toHaveURL('/change-password');
  expect((await kept(page)).local).not.toHaveProperty('require_password_change');
  await demand();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signInAs(page, staff);
  await expect(page).toHaveURL('/dashboard');
});

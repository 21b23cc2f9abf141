import { Api, send } from './support/api.ts';
import { holdCalls, holdNextAnswer, recordCalls } from './support/calls.ts';
import { endOnServer, expectSignedOut, kept, signInAs } from './support/session.ts';
import { expect, test } from './support/test.ts';

test.use({ ownAccounts: true, callsMayFail: true });

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

test('a saved token and user restore the session', async ({ staffPage: page, server, staff }) => {
  const calls = recordCalls(page, 'GET', '/api/customers');
  const tokens = () => calls.map((call) => call.headers().authorization?.replace('Bearer ', ''));
  await page.goto('/customers/all');
  await expect.poll(tokens).toEqual([staff.token]);
  await page.reload({ waitUntil: 'networkidle' });
  await expect(page.getByRole('link', { name: staff.user.name })).toBeVisible();
  const other = await Api.signIn(server.url, staff);
  await page.evaluate((token) => localStorage.setItem('authToken', token), other.token);
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await page.getByRole('link', { name: 'All Customers', exact: true }).click();
  await expect.poll(tokens).toEqual([staff.token, staff.token, other.token]);
  await page.evaluate(() => localStorage.removeItem('authToken'));
  await page.getByRole('link', { name: 'All Documents', exact: true }).click();
  await expectSignedOut(page);
});

test('a corrupt saved user is discarded together with the token', async ({
  staffPage: page,
  staff,
  expectConsole,
}) => {
  expectConsole(/The saved session could not be read and was discarded/);
  for (const saved of ['{broken', '{"name":"Jane"}', undefined]) {
    await page.goto(blankPath);
    await page.evaluate(
      ([token, user]) => {
        localStorage.setItem('authToken', token);
        if (user === undefined) localStorage.removeItem('user');
        else localStorage.setItem('user', user);
      },
      [staff.token, saved] as const,
    );
    await page.goto('/dashboard');
    await expectSignedOut(page);
  }
});

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

test('a session that ended leads to /login, and back', async ({ page, server, staff }) => {
  const end = async () => endOnServer(page, server.url, (await kept(page)).local.authToken ?? '');
  const signInAgain = async (address: string) => {
    await expectSignedOut(page);
    await signInAs(page, staff);
    await expect(page).toHaveURL(address);
  };
  const deepLink = '/documents?filename=annual%20report#top';
  await page.goto(deepLink, { waitUntil: 'commit' });
  await signInAgain(deepLink);
  await expect(page.getByLabel('Filename')).toHaveValue('annual report');
  await end();
  await page.goto('/customers?name=returning');
  await signInAgain('/customers?name=returning');
  await expect(page.getByText(/^No customers found matching/)).toBeVisible();
  await end();
  await page.getByLabel('Name').fill('another');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await signInAgain('/customers?name=another');
});

test('a remembered address opens only for the same user and an allowed role', async ({
  page,
  server,
  admin,
  staff,
}) => {
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

test('signing out does not wait for the server, and forgets the address', async ({
  staffPage: page,
  server,
  staff,
}) => {
  const signOuts = recordCalls(page, 'POST', '/api/auth/logout');
  const signingOut = await holdCalls(page, '/api/auth/logout');
  const loading = await holdCalls(page, '/api/customers');
  await page.goto('/documents/all');
  await page.getByRole('link', { name: 'All Customers', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expectSignedOut(page);
  signingOut.release();
  expect((await signOuts[0]?.response())?.status()).toBe(200);
  expect((await send(server.url, 'GET', '/api/auth/verify', staff.token)).status).toBe(401);
  loading.release();
  await page.goBack();
  await expectSignedOut(page);
  await signInAs(page, staff);
  await expect(page).toHaveURL('/dashboard');
  expect(signOuts).toHaveLength(1);
});

test('signing out and in applies to all tabs', async ({ staffPage: first, staff }) => {
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

test('a late response about one user does not affect the next', async ({ adminPage: page, admin, staff }) => {
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

test('a required password change is demanded on every screen', async ({ api, page }) => {
  await page.addInitScript(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function set(key, value) {
      if (key === 'require_password_change') document.documentElement.setAttribute('data-demanded', value);
      setItem.call(this, key, value);
    };
  });
  await page.goto('/customers/all');
  await signInAs(page, await api.invite('staff'));
  await expect(page).toHaveURL('/change-password');
  await expect(page.locator('html')).toHaveAttribute('data-demanded', '1');
  await expect(page.getByRole('link', { name: 'Cancel' })).toHaveCount(0);
  const refused = page.waitForResponse((response) => response.status() === 403);
  await page.getByRole('link', { name: 'All Customers', exact: true }).click();
  await refused;
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Change password');
  await page.goto('/dashboard', { waitUntil: 'networkidle' });
  await expect(page).toHaveURL('/change-password');
  expect((await kept(page)).local).not.toHaveProperty('require_password_change');
});

test('a stored demand to change the password ends with the session', async ({ page, staff }) => {
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

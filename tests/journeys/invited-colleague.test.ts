import { send, uniqueEmail } from './support/api.ts';
import { adminActions, expectScreen } from './support/screens.ts';
import { kept, signInAs } from './support/session.ts';
import { expect, failedCall, test } from './support/test.ts';

test.use({ ownAccounts: true });

test('an invited colleague must change the password before anything else', async ({
  adminPage,
  page,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const email = uniqueEmail('colleague');
  await adminPage.goto('/admin/invite');
  await adminPage.getByLabel('Email').fill(email);
  await adminPage.getByRole('button', { name: 'Send invitation' }).click();
  const password = (await adminPage.getByRole('code').textContent()) ?? '';

  await page.addInitScript(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function set(key, value) {
      if (key === 'require_password_change') document.documentElement.setAttribute('data-demanded', value);
      setItem.call(this, key, value);
    };
  });
  await page.goto('/customers/all');
  await signInAs(page, { email, password });
  await expect(page).toHaveURL('/change-password');
  await expect(page.locator('html')).toHaveAttribute('data-demanded', '1');
  expect(Object.keys((await kept(page)).local).sort()).toEqual(['authToken', 'user']);
  await expectScreen(page, 'Change password');
  await expect(page.getByRole('link', { name: 'Cancel' })).toHaveCount(0);
  const refused = page.waitForResponse((response) => response.status() === 403);
  await page.getByRole('link', { name: 'All Documents' }).click();
  await refused;
  await expect(page).toHaveURL('/change-password');

  await page.getByLabel('Current password', { exact: true }).fill(password);
  await page.getByLabel('New password', { exact: true }).fill('my very own words');
  await page.getByLabel('Confirm new password', { exact: true }).fill('my very own words');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page).toHaveURL('/profile');
  await expect(page.getByText('Password changed successfully', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'All Documents' }).click();
  await expectScreen(page, 'All Documents');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await signInAs(page, { email, password: 'my very own words' });
  await expect(page).toHaveURL('/dashboard');
});

test('staff see no admin action anywhere', async ({ staffPage: page, api }) => {
  const customer = await api.makeCustomer();
  const { id, filename } = await api.makeDocument(customer.id);
  // Each with the content that loads last; before it, no action could be offered.
  const screens = [
    ['/dashboard', 'Search Customers'],
    ['/customers', 'No search performed'],
    [`/customers?${new URLSearchParams({ name: customer.name })}`, customer.email ?? ''],
    ['/customers/all', 'Showing 1 to'],
    [`/customers/${customer.id}`, filename],
    ['/documents', 'No search performed'],
    [`/documents?${new URLSearchParams({ filename })}`, filename],
    ['/documents/all', 'Showing 1 to'],
    [`/documents/${id}`, 'View in Browser'],
    ['/profile', 'Save Changes'],
  ] as const;
  for (const [path, text] of screens) {
    await page.goto(path);
    await expect(page.getByRole('main').getByText(text).first()).toBeVisible();
    await expect(adminActions(page), path).toHaveCount(0);
  }
});

test('administrators see what staff do not', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer();
  const document = await api.makeDocument(customer.id);
  const offered = [
    ['/dashboard', ['Upload Documents', 'Invite user']],
    ['/customers', ['Add Customer']],
    [`/customers/${customer.id}`, ['Edit information', 'Upload document', `Delete ${document.filename}`]],
    ['/documents', ['Upload Document']],
    [`/documents/${document.id}`, ['Delete']],
  ] as const;
  for (const [path, names] of offered) {
    await page.goto(path);
    for (const name of names) {
      const action = page.getByRole('link', { name }).or(page.getByRole('button', { name }));
      await expect(adminActions(page).and(action).first(), `${name} on ${path}`).toBeVisible();
    }
  }
});

test('the server refuses staff who call an admin action by hand', async ({ server, staff, api }) => {
  const customer = await api.makeCustomer();
  const document = await api.makeDocument(customer.id);
  const calls: [method: string, path: string, body?: Record<string, unknown>][] = [
    ['POST', '/api/customers', { name: 'Nobody', dob: '1980-01-01', email: uniqueEmail('nobody') }],
    ['PUT', `/api/customers/${customer.id}`, { name: 'Nobody' }],
    ['DELETE', `/api/customers/${customer.id}`],
    [
      'POST',
      '/api/documents',
      { customer_id: customer.id, filename: 'a.txt', mime_type: 'text/plain', file_data: 'YQ==' },
    ],
    ['DELETE', `/api/documents/${document.id}`],
    ['POST', '/api/auth/invite', { email: uniqueEmail('friend'), role: 'admin' }],
  ];
  for (const [method, path, body] of calls) {
    const answer = await send(server.url, method, path, staff.token, body);
    expect(answer, `${method} ${path}`).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  }
  const kept = await send(server.url, 'GET', `/api/customers/${customer.id}`, staff.token);
  expect(kept.body.customer.name).toBe(customer.name);
});

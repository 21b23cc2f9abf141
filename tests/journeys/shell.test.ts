import type { Page } from '@playwright/test';
import { unique } from './support/api.ts';
import { adminPaths, expectScreen, signedInPaths } from './support/screens.ts';
import { expect, failedCall, test } from './support/test.ts';

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' });
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

const menuForAll = [
  ['Dashboard', '/dashboard'],
  ['Customer Search', '/customers'],
  ['All Customers', '/customers/all'],
  ['Document Search', '/documents'],
  ['All Documents', '/documents/all'],
];

async function menuItems(page: Page) {
  await expect(menu(page)).toBeVisible();
  const links = await menu(page).getByRole('link').all();
  return Promise.all(links.map(async (link) => [await link.innerText(), await link.getAttribute('href')]));
}

test('only signed-in users get past /login', async ({ page }) => {
  const paths = [
    '/',
    '/nowhere',
    ...signedInPaths({ customer: 1, document: 1 }),
    ...adminPaths({ customer: 1, document: 1 }),
  ];
  for (const path of paths) {
    await page.goto(path);
    await expect(page, path).toHaveURL('/login');
    await expect(heading(page)).toHaveText('Sign in to your account');
  }
});

test('/, an unknown path and /login lead a signed-in user to the dashboard', async ({ staffPage: page }) => {
  for (const path of ['/', '/nowhere', '/customers/1/nowhere', '/login']) {
    await page.goto(path);
    await expect(page, path).toHaveURL('/dashboard');
    await expectScreen(page, 'Dashboard');
  }
});

test('the menu leads staff to their screens and says where they are', async ({ staffPage: page, staff }) => {
  await page.goto('/dashboard');
  expect(await menuItems(page)).toEqual(menuForAll);
  for (const [label = '', path = ''] of menuForAll) {
    const link = menu(page).getByRole('link', { name: label, exact: true });
    await link.click();
    await expect(page).toHaveURL(path);
    await expect(heading(page)).toHaveText(label);
    await expect(link).toHaveAttribute('aria-current', 'page');
    await expect(menu(page).locator('[aria-current=page]')).toHaveCount(1);
  }
  const search = page.getByRole('link', { name: 'Search', exact: true });
  await expect(search).toHaveAttribute('title', 'Ctrl K searches from anywhere');
  await search.click();
  await expect(page).toHaveURL('/search');
  await expect(search).toHaveAttribute('aria-current', 'page');
  const profile = page.getByRole('link', { name: staff.user.name });
  await expect(profile).toContainText('Staff');
  await profile.click();
  await expect(page).toHaveURL('/profile');
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
});

test('below a menu entry the menu still shows the location, and a breadcrumb leads up', async ({
  adminPage: page,
  api,
}) => {
  const customer = await api.makeCustomer();
  const document = await api.makeDocument(customer.id);
  for (const [path, entry] of [
    [`/customers/${customer.id}`, 'All Customers'],
    [`/customers/${customer.id}/edit`, 'All Customers'],
    [`/documents/${document.id}`, 'All Documents'],
    ['/documents/upload', 'All Documents'],
  ] as const) {
    await page.goto(path);
    const marked = menu(page).locator('[aria-current=true]');
    await expect(marked, path).toHaveText(entry);
    await expect(menu(page).locator('[aria-current=page]')).toHaveCount(0);
  }
  for (const [path, entry] of [
    [`/documents/${document.id}`, 'All Documents'],
    [`/customers/${customer.id}`, 'All Customers'],
  ] as const) {
    await page.goto(path);
    const trail = page.getByRole('navigation', { name: 'Breadcrumb' });
    await trail.getByRole('link', { name: entry }).click();
    await expect(heading(page)).toHaveText(entry);
  }
});

test('a document leads back to where it was opened from, through its other screens', async ({
  adminPage: page,
  api,
}) => {
  const customer = await api.makeCustomer({ name: unique('Crumbs') });
  const word = unique('crumbs').replace(' ', '-');
  const document = await api.makeDocument(customer.id, { filename: `${word}.txt` });
  await api.makeDocument(customer.id, { filename: `${word}-later.txt` });
  const trail = page.getByRole('navigation', { name: 'Breadcrumb' });
  const first = trail.getByRole('link').first();
  const open = () => page.getByRole('main').getByRole('link', { name: document.filename }).first().click();

  await page.goto(`/customers/${customer.id}`);
  await open();
  await expect(heading(page)).toHaveText(document.filename);
  await expect(trail.getByRole('link')).toHaveText([customer.name]);
  await page.getByRole('button', { name: 'Previous document' }).click();
  await expect(heading(page)).toHaveText(`${word}-later.txt`);
  await expect(first).toHaveText(customer.name);
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(trail.getByRole('link')).toHaveText([customer.name, `${word}-later.txt`]);
  await first.click();
  await expect(heading(page)).toHaveText(customer.name);

  for (const [path, name] of [
    [`/documents?filename=${word}`, 'Document Search'],
    [`/search?q=${word}`, 'Search'],
  ] as const) {
    await page.goto(path);
    await open();
    await expect(heading(page)).toHaveText(document.filename);
    await expect(first).toHaveText(name);
    await first.click();
    await expect(page).toHaveURL(path);
  }
});

test('a file dropped outside a drop zone does not replace the page', async ({ adminPage: page }) => {
  const dropped = (target: string, type: 'dragover' | 'drop', what: 'file' | 'text') =>
    page.locator(target).evaluate(
      (element, [name, kind]) => {
        const dataTransfer = new DataTransfer();
        if (kind === 'file') dataTransfer.items.add(new File(['x'], 'x.pdf'));
        else dataTransfer.setData('text/plain', 'x');
        const event = new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true });
        return element.dispatchEvent(event) ? 'left to the browser' : 'kept';
      },
      [type, what] as const,
    );
  await page.goto('/customers/new');
  await expectScreen(page, 'Add Customer');
  for (const type of ['dragover', 'drop'] as const) {
    expect(await dropped('h1', type, 'file')).toBe('kept');
    expect(await dropped('input[name=name]', type, 'text')).toBe('left to the browser');
  }
});

test('the menu of administrators has users, the invitation and the activity too', async ({
  adminPage: page,
  admin,
}) => {
  await page.goto('/dashboard');
  expect(await menuItems(page)).toEqual([
    ...menuForAll,
    ['Users', '/admin/users'],
    ['Invite user', '/admin/invite'],
    ['Activity', '/admin/activity'],
  ]);
  await expect(page.getByRole('link', { name: admin.user.name })).toContainText('Admin');
});

test('on a small screen the menu slides out, and away again', async ({ staffPage: page, staff }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/dashboard');
  await expectScreen(page, 'Dashboard');
  await expect(menu(page)).toBeHidden();
  const opener = page.getByRole('button', { name: 'Open menu' });
  await opener.click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('link', { name: staff.user.name })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await drawer.getByRole('link', { name: 'Dashboard' }).click();
  await expect(drawer).toBeHidden();
  await opener.click();
  await drawer.getByRole('link', { name: 'All Documents' }).click();
  await expect(page).toHaveURL('/documents/all');
  await expect(drawer).toBeHidden();
  await opener.click();
  await drawer.getByRole('link', { name: 'Search', exact: true }).click();
  await expect(page).toHaveURL('/search');
  await expect(drawer).toBeHidden();
  await opener.click();
  await drawer.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');
});

const denials = [
  ['/admin/users', "You don't have permission to access this page."],
  ['/admin/invite', "You don't have permission to access this page."],
  ['/customers/new', "You don't have permission to create customers."],
  ['/customers/1/edit', "You don't have permission to edit customers."],
  ['/documents/upload', "You don't have permission to upload documents."],
  ['/documents/1/edit', "You don't have permission to edit documents."],
] as const;

test('staff are denied admin screens, and led back', async ({ staffPage: page }) => {
  for (const [path, text] of denials) {
    await page.goto('/customers/all');
    await page.goto(path);
    await expectScreen(page, 'Access Denied');
    await expect(page.getByRole('main').getByText(text, { exact: true })).toBeVisible();
    await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
    await page.getByRole('button', { name: 'Go Back' }).click();
    await expect(page).toHaveURL('/customers/all');
  }
  const tab = await page.context().newPage();
  await tab.goto('/admin/invite');
  // The history is empty.
  await tab.getByRole('button', { name: 'Go Back' }).click();
  await expect(tab).toHaveURL('/dashboard');
});

test('the skip link leads past the menu', async ({ staffPage: page }) => {
  await page.goto('/documents');
  await expectScreen(page, 'Document Search');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('main').getByLabel('Customer name')).toBeFocused();
});

test('arriving on a screen moves the focus to its heading', async ({ staffPage: page }) => {
  await page.goto('/dashboard');
  await expectScreen(page, 'Dashboard');
  await menu(page).getByRole('link', { name: 'All Customers' }).click();
  await expect(heading(page)).toHaveText('All Customers');
  await expect(heading(page)).toBeFocused();
  await page.goBack();
  await expect(heading(page)).toHaveText('Dashboard');
  await expect(heading(page)).toBeFocused();
});

test('the choice of light or dark stays, and without one the system decides', async ({ staffPage: page }) => {
  const html = page.locator('html');
  const scheme = 'data-mantine-color-scheme';
  await page.goto('/dashboard');
  await expect(html).toHaveAttribute(scheme, 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(html).toHaveAttribute(scheme, 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByTitle('Dark').click();
  await expect(html).toHaveAttribute(scheme, 'dark');
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
  await expect(html).toHaveAttribute(scheme, 'dark');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(heading(page)).toHaveText('Sign in to your account');
  await expect(html).toHaveAttribute(scheme, 'dark');
});

test('a failed fetch is retried once, and focusing the window fetches nothing', async ({
  staffPage: page,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  const count = (path: string) => sent.filter((seen) => seen === path).length;
  await page.route('**/api/documents?*', (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto('/documents/all');
  await expect(page.getByText('Error loading documents. Please try again.')).toBeVisible();
  expect(count('/api/documents')).toBe(2);
  await page.goto('/customers/all');
  await expectScreen(page, 'All Customers');
  expect(count('/api/customers')).toBe(1);
  await page.evaluate(async () => {
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    window.dispatchEvent(new Event('focus'));
    // Sent after any request that the focus could have caused.
    await fetch('/health');
  });
  expect(count('/health')).toBe(1);
  expect(count('/api/customers')).toBe(1);
});

test('a name of 200 characters does not widen the menu', async ({ api, openAs }) => {
  const name = unique('W'.repeat(191));
  const page = await openAs(await api.makeUser('staff', name));
  await page.goto('/dashboard');
  await expect(page.getByRole('link', { name })).toBeVisible();
  await expect(page.getByTitle(name)).toBeVisible();
  const width = await page
    .getByRole('complementary')
    .evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
  expect(width[0]).toBe(width[1]);
});

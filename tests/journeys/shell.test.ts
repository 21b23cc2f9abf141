import type { Page } from '@playwright/test';
import { unique } from './support/api.ts';
import { expectScreen } from './support/screens.ts';
import { expect, test } from './support/test.ts';

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

test('/, an unknown path and /login lead a signed-in user to the dashboard', async ({ staffPage: page }) => {
  for (const path of ['/', '/nowhere', '/customers/1/nowhere', '/login']) {
    await page.goto(path);
    await expect(page, path).toHaveURL('/dashboard');
    await expectScreen(page, 'Dashboard');
  }
});

test('the menu leads to the screens and marks the current one', async ({
  staffPage: page,
  staff,
  openAs,
  admin,
}) => {
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
  const adminPage = await openAs(admin);
  await adminPage.goto('/dashboard');
  expect(await menuItems(adminPage)).toEqual([
    ...menuForAll,
    ['Users', '/admin/users'],
    ['Invite user', '/admin/invite'],
    ['Activity', '/admin/activity'],
  ]);
  await expect(adminPage.getByRole('link', { name: admin.user.name })).toContainText('Admin');
});

test('below a menu entry a breadcrumb leads up', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer();
  const document = await api.makeDocument(customer.id);
  for (const [path, title, entry] of [
    [`/customers/${customer.id}/edit`, 'Edit Customer', 'All Customers'],
    [`/customers/${customer.id}`, customer.name, 'All Customers'],
    ['/documents/upload', 'Upload Document', 'All Documents'],
    [`/documents/${document.id}`, document.filename, 'All Documents'],
  ] as const) {
    await page.goto(path);
    await expect(heading(page)).toHaveText(title);
    await expect(menu(page).locator('[aria-current=true]'), path).toHaveText(entry);
    await expect(menu(page).locator('[aria-current=page]')).toHaveCount(0);
    if (/edit|upload/.test(path)) continue;
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: entry }).click();
    await expect(heading(page)).toHaveText(entry);
  }
});

test('a document leads back to where it was opened from', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer({ name: unique('Crumbs') });
  const word = unique('crumbs').replace(' ', '-');
  const document = await api.makeDocument(customer.id, { filename: `${word}.txt` });
  await api.makeDocument(customer.id, { filename: `${word}-later.txt` });
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
  const first = crumbs.getByRole('link').first();
  const open = () => page.getByRole('main').getByRole('link', { name: document.filename }).first().click();

  await page.goto(`/customers/${customer.id}`);
  await open();
  await expect(heading(page)).toHaveText(document.filename);
  await expect(crumbs.getByRole('link')).toHaveText([customer.name]);
  await page.getByRole('button', { name: 'Previous document' }).click();
  await expect(heading(page)).toHaveText(`${word}-later.txt`);
  await expect(first).toHaveText(customer.name);
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(crumbs.getByRole('link')).toHaveText([customer.name, `${word}-later.txt`]);
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

/** Whether the page prevents what the browser would do with something that is dragged or dropped. */
const isPrevented = (page: Page, target: string, type: 'dragover' | 'drop', what: 'file' | 'text') =>
  page.locator(target).evaluate(
    (element, [name, kind]) => {
      const dataTransfer = new DataTransfer();
      if (kind === 'file') dataTransfer.items.add(new File(['x'], 'x.pdf'));
      else dataTransfer.setData('text/plain', 'x');
      return !element.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [type, what] as const,
  );

test('a skip link leads past the menu; a new screen gets the focus; a dropped file does not replace the page', async ({
  staffPage: page,
}) => {
  await page.goto('/documents');
  await expectScreen(page, 'Document Search');
  for (const type of ['dragover', 'drop'] as const) {
    expect(await isPrevented(page, 'h1', type, 'file')).toBe(true);
    expect(await isPrevented(page, 'input[name=filename]', type, 'text')).toBe(false);
  }
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('main').getByLabel('Customer name')).toBeFocused();
  await menu(page).getByRole('link', { name: 'Dashboard' }).click();
  await expect(heading(page)).toHaveText('Dashboard');
  await expect(heading(page)).toBeFocused();
  await page.goBack();
  await expect(heading(page)).toHaveText('Document Search');
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

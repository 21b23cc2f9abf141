import type { Page } from '@playwright/test';
import { makePdf, uniqueEmail } from '../support/api.ts';
import { look } from '../support/look.ts';
import { startServer } from '../support/server.ts';
import { expect, failedCall, test } from '../support/test.ts';

const longName = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(6).slice(0, 200);
const rightToLeft = 'شركة النور للتجارة والخدمات المحدودة';

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

/** A customer with everything in it that can break a layout. */
async function makeRecords(api: import('../support/api.ts').Api) {
  const customer = await api.makeCustomer({
    name: longName,
    email: `${'x'.repeat(60)}@${'y'.repeat(60)}.${'z'.repeat(60)}.example.com`,
    phone_number: '+49 (30) 901820-0',
    street_line: 'Straße des Siebzehnten Juni '.repeat(7).trim(),
    city: rightToLeft,
    province: 'Brandenburg',
    country: 'Deutschland',
  });
  await api.makeCustomer({ name: rightToLeft, email: uniqueEmail('nour') });
  const document = await api.makeDocument(customer.id, {
    filename: `${'annual-report-'.repeat(15)}2026.pdf`,
    content: makePdf('Annual report'),
    description: 'Signed copy.\nSecond line of the description.',
  });
  await api.makeDocument(customer.id, { filename: `${rightToLeft}.txt` });
  return { customer, document };
}

test.describe('every screen, in both themes and both widths', () => {
  test('sign-in', async ({ page }) => {
    await page.goto('/login');
    await heading(page, 'Sign in to your account');
    await look(page, 'login');
  });

  test('first administrator', async ({ browser }) => {
    const server = await startServer({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '' });
    try {
      const page = await browser.newPage({ baseURL: server.url });
      await page.goto('/login');
      await heading(page, 'Create the first administrator');
      await look(page, 'first-administrator');
      await page.close();
    } finally {
      await server.stop();
    }
  });

  test('dashboard', async ({ adminPage, api }) => {
    await makeRecords(api);
    await adminPage.goto('/dashboard');
    await expect(adminPage.getByText('Connected')).toHaveCount(2);
    await look(adminPage, 'dashboard');
  });

  test('menu and quick search', async ({ adminPage, api }) => {
    const { customer } = await makeRecords(api);
    await adminPage.goto('/dashboard');
    await heading(adminPage, 'Dashboard');
    await adminPage.keyboard.press('Control+k');
    await adminPage.getByRole('combobox', { name: 'Quick search' }).fill(customer.name.slice(0, 12));
    await expect(adminPage.getByRole('option', { name: customer.name }).first()).toBeVisible();
    await look(adminPage, 'quick-search');
    await adminPage.keyboard.press('Escape');
    await adminPage.setViewportSize({ width: 390, height: 844 });
    await adminPage.getByRole('button', { name: 'Open menu' }).click();
    await expect(adminPage.getByRole('dialog').getByRole('link', { name: 'All Customers' })).toBeVisible();
    await look(adminPage, 'menu', { only: 'narrow' });
  });

  test('customer search', async ({ adminPage, api }) => {
    await makeRecords(api);
    await adminPage.goto('/customers');
    await expect(adminPage.getByText('No search performed')).toBeVisible();
    await look(adminPage, 'customer-search-before');
    await adminPage.goto('/customers?name=wolfe');
    await expect(adminPage.getByRole('table')).toBeVisible();
    await look(adminPage, 'customer-search');
    await adminPage.goto('/customers?name=nobody-is-called-this');
    await expect(adminPage.getByText('No customers found matching your search criteria.')).toBeVisible();
    await look(adminPage, 'customer-search-empty');
  });

  test('all customers', async ({ adminPage, api }) => {
    await makeRecords(api);
    await adminPage.goto('/customers/all');
    await expect(adminPage.getByText(/^Showing 1 to/)).toBeVisible();
    await look(adminPage, 'all-customers');
  });

  test('customer details, edit and delete', async ({ adminPage, api }) => {
    const { customer } = await makeRecords(api);
    await adminPage.goto(`/customers/${customer.id}`);
    await expect(adminPage.getByRole('heading', { name: 'Documents (2)' })).toBeVisible();
    await look(adminPage, 'customer');
    await adminPage.goto(`/customers/${customer.id}/edit`);
    await expect(adminPage.getByLabel('Name')).toHaveValue(customer.name);
    await look(adminPage, 'edit-customer');
    await adminPage.getByRole('button', { name: 'Delete customer' }).click();
    await expect(adminPage.getByRole('dialog')).toBeVisible();
    await look(adminPage, 'delete-customer');
  });

  test('add customer', async ({ adminPage }) => {
    await adminPage.goto('/customers/new');
    await adminPage
      .getByRole('button', { name: /create|add|save/i })
      .last()
      .click();
    await expect(adminPage.getByText('Date of Birth is required')).toBeVisible();
    await look(adminPage, 'new-customer');
  });

  test('document search', async ({ adminPage, api }) => {
    await makeRecords(api);
    await adminPage.goto('/documents');
    await heading(adminPage, 'Document Search');
    await look(adminPage, 'document-search-before');
    await adminPage.goto('/documents?filename=annual');
    await expect(adminPage.getByRole('table')).toBeVisible();
    await look(adminPage, 'document-search');
  });

  test('all documents', async ({ staffPage, api }) => {
    await makeRecords(api);
    await staffPage.goto('/documents/all');
    await expect(staffPage.getByText(/^Showing 1 to/)).toBeVisible();
    await look(staffPage, 'all-documents');
  });

  test('document details and delete', async ({ adminPage, api }) => {
    const { document } = await makeRecords(api);
    await adminPage.goto(`/documents/${document.id}`);
    await heading(adminPage, document.filename);
    await look(adminPage, 'document');
    await adminPage.getByRole('button', { name: /^Delete/ }).click();
    await expect(adminPage.getByRole('dialog')).toBeVisible();
    await look(adminPage, 'delete-document');
  });

  test('upload document', async ({ adminPage, api }) => {
    const { customer } = await makeRecords(api);
    await adminPage.goto(`/documents/upload?customer=${customer.id}`);
    await heading(adminPage, 'Upload Document');
    await look(adminPage, 'upload');
  });

  test('profile, change password and invite', async ({ adminPage }) => {
    await adminPage.goto('/profile');
    await expect(adminPage.getByRole('button', { name: 'Save Changes' })).toBeVisible();
    await look(adminPage, 'profile');
    await adminPage.goto('/change-password');
    await expect(adminPage.getByLabel('Current password')).toBeVisible();
    await look(adminPage, 'change-password');
    await adminPage.goto('/admin/invite');
    await heading(adminPage, 'Invite New User');
    await look(adminPage, 'invite');
  });

  test('refused, missing and failed', async ({ staffPage, expectConsole }) => {
    expectConsole(failedCall);
    await staffPage.goto('/admin/invite');
    await heading(staffPage, 'Access Denied');
    await look(staffPage, 'access-denied');
    await staffPage.goto('/documents/999999');
    await expect(staffPage.getByText('Document not found')).toBeVisible();
    await look(staffPage, 'document-not-found');
    await staffPage.route('**/api/customers?*', (route) => route.abort());
    await staffPage.goto('/customers/all');
    await expect(staffPage.getByText('Error loading customers. Please try again.')).toBeVisible();
    await look(staffPage, 'all-customers-failed');
  });
});

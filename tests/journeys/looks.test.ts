import type { Page } from '@playwright/test';
import { type Api, makePdf, unique, uniqueEmail } from './support/api.ts';
import { Authenticator, enableMfa } from './support/authenticator.ts';
import { answerCalls, holdCalls } from './support/calls.ts';
import { chooseFile, makeFile } from './support/files.ts';
import { look } from './support/look.ts';
import { repeat } from './support/repeat.ts';
import { startServer, withoutAdmin } from './support/server.ts';
import { signInAs } from './support/session.ts';
import { expect, failedCall, test } from './support/test.ts';
import { dragFiles, expectQueue } from './support/upload-queue.ts';
import { expectProgress, openUpload, uploadButton } from './support/upload-screen.ts';
import { pdfPage, tool, viewer, viewLink } from './support/viewer.ts';

const longName = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(6).slice(0, 200);
const rightToLeft = 'شركة النور للتجارة والخدمات المحدودة';

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

/** A customer with everything that can break a layout. */
async function makeRecords(api: Api) {
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

test.describe.configure({ timeout: 120_000 });

test('the sign-in screen', async ({ page }) => {
  await page.goto('/login');
  await heading(page, 'Sign in to your account');
  await look(page, 'login');
});

test.describe(() => {
  test.use({ ownAccounts: true });

  test('the second step of the sign-in', async ({ page, server, staff }) => {
    await enableMfa(server.url, staff);
    await page.goto('/login');
    await signInAs(page, staff);
    await expect(page.getByLabel('Enter your MFA code', { exact: true })).toBeFocused();
    await look(page, 'login-mfa');
  });

  test('the setup of MFA', async ({ staffPage }) => {
    await staffPage.goto('/profile');
    await staffPage.getByRole('button', { name: 'Set up MFA' }).click();
    await expect(staffPage.getByRole('img', { name: /QR code/ })).toBeVisible();
    await look(staffPage, 'mfa-setup');
  });

  test('the recovery codes', async ({ staffPage }) => {
    await staffPage.goto('/profile');
    await staffPage.getByRole('button', { name: 'Set up MFA' }).click();
    const app = new Authenticator((await staffPage.getByRole('code').textContent()) ?? '');
    await staffPage.getByLabel('MFA code').fill(await app.nextCode());
    await staffPage.getByRole('button', { name: 'Turn on MFA' }).click();
    await heading(staffPage, 'Your recovery codes');
    await look(staffPage, 'recovery-codes');
  });
});

test('the form for the first administrator', async ({ browser }) => {
  const server = await startServer(withoutAdmin);
  try {
    const context = await browser.newContext({ baseURL: server.url });
    const page = await context.newPage();
    await page.goto('/login');
    await heading(page, 'Create the first administrator');
    await look(page, 'first-administrator');
    await context.close();
  } finally {
    await server.stop();
  }
});

test('the dashboard', async ({ adminPage, api }) => {
  await makeRecords(api);
  await adminPage.goto('/dashboard');
  await expect(adminPage.getByText('Connected')).toHaveCount(2);
  await look(adminPage, 'dashboard');
});

test('the quick search', async ({ adminPage, api }) => {
  const { customer } = await makeRecords(api);
  await adminPage.goto('/dashboard');
  await heading(adminPage, 'Dashboard');
  await adminPage.keyboard.press('Control+k');
  await adminPage.getByRole('combobox', { name: 'Quick search' }).fill(customer.name.slice(0, 12));
  await expect(adminPage.getByRole('option', { name: customer.name }).first()).toBeVisible();
  await look(adminPage, 'quick-search');
});

test('the search before a question', async ({ staffPage }) => {
  await staffPage.goto('/search');
  await expect(staffPage.getByText('What are you looking for?')).toBeVisible();
  await look(staffPage, 'search-before');
});

test('the search with results', async ({ staffPage, api }) => {
  const { customer, document } = await makeRecords(api);
  await expect.poll(() => api.textStateOf(document.id)).toBe('ready');
  await staffPage.goto(`/search?q=annual+report&customer_id=${customer.id}`);
  await expect(staffPage.getByRole('heading', { name: 'Inside documents' })).toBeVisible();
  await expect(staffPage.getByRole('button', { name: `Remove ${customer.name}` })).toBeVisible();
  await look(staffPage, 'search');
  await staffPage.goto('/search?q=wolfeschlegel&in=customers');
  await expect(staffPage.getByRole('link', { name: customer.name }).first()).toBeVisible();
  await look(staffPage, 'search-customers');
});

test('the search that finds nothing', async ({ staffPage }) => {
  await staffPage.goto('/search?q=nobody-is-called-this');
  await expect(staffPage.getByText('Nothing found')).toBeVisible();
  await look(staffPage, 'search-empty');
});

test('the menu on a small screen', async ({ adminPage }) => {
  await adminPage.setViewportSize({ width: 390, height: 844 });
  await adminPage.goto('/dashboard');
  await adminPage.getByRole('button', { name: 'Open menu' }).click();
  await expect(adminPage.getByRole('dialog').getByRole('link', { name: 'All Customers' })).toBeVisible();
  await look(adminPage, 'menu', ['narrow-light', 'narrow-dark']);
});

test('the customer search before a search', async ({ adminPage }) => {
  await adminPage.goto('/customers');
  await expect(adminPage.getByText('No search performed')).toBeVisible();
  await look(adminPage, 'customer-search-before');
});

test('the customer search with results', async ({ adminPage, api }) => {
  const { customer } = await makeRecords(api);
  await adminPage.goto(`/customers?name=${customer.name}`);
  await expect(adminPage.getByRole('link', { name: customer.name }).first()).toBeVisible();
  await look(adminPage, 'customer-search');
});

test('the last page of a customer search', async ({ adminPage, api }) => {
  const city = unique('Crowded');
  await repeat(51, (number) => api.makeCustomer({ name: `Citizen ${number}`, city }));
  await adminPage.goto(`/customers?city=${encodeURIComponent(city)}&page=2`);
  await expect(adminPage.getByText('Page 2 of 2')).toBeVisible();
  await look(adminPage, 'customer-search-last-page');
});

test('the customer search without results', async ({ staffPage }) => {
  await staffPage.goto('/customers?name=nobody-is-called-this');
  await expect(staffPage.getByText('No customers found matching your search criteria.')).toBeVisible();
  await look(staffPage, 'customer-search-empty');
});

test('all customers', async ({ adminPage, api }) => {
  await makeRecords(api);
  await adminPage.goto('/customers/all');
  await expect(adminPage.getByText(/^Showing 1 to/)).toBeVisible();
  await look(adminPage, 'all-customers');
});

test('a customer', async ({ adminPage, api }) => {
  const { customer } = await makeRecords(api);
  await adminPage.goto(`/customers/${customer.id}`);
  await expect(adminPage.getByRole('heading', { name: 'Documents (2)' })).toBeVisible();
  await look(adminPage, 'customer');
});

test('the form to edit a customer', async ({ adminPage, api }) => {
  const { customer } = await makeRecords(api);
  await adminPage.goto(`/customers/${customer.id}/edit`);
  await expect(adminPage.getByRole('textbox', { name: 'Name' })).toHaveValue(customer.name);
  await look(adminPage, 'edit-customer');
});

test('the question before a customer is deleted', async ({ adminPage, api }) => {
  const { id } = await api.makeCustomer();
  await adminPage.goto(`/customers/${id}/edit`);
  await adminPage.getByRole('button', { name: 'Delete customer' }).click();
  await expect(adminPage.getByRole('dialog')).toBeVisible();
  await look(adminPage, 'delete-customer');
});

test('the form to add a customer, filled in wrongly', async ({ adminPage }) => {
  await adminPage.goto('/customers/new');
  await adminPage.getByRole('textbox', { name: 'Name' }).press('Enter');
  await expect(adminPage.getByText('Date of Birth is required')).toBeVisible();
  await look(adminPage, 'new-customer');
});

test('the document search before a search', async ({ adminPage }) => {
  await adminPage.goto('/documents');
  await heading(adminPage, 'Document Search');
  await look(adminPage, 'document-search-before');
});

test('the document search with results', async ({ adminPage, api }) => {
  const { document, customer } = await makeRecords(api);
  await adminPage.goto(`/documents?filename=annual&customer_name=${customer.name}`);
  await expect(adminPage.getByRole('link', { name: document.filename }).first()).toBeVisible();
  await look(adminPage, 'document-search');
});

test('all documents', async ({ staffPage, api }) => {
  await makeRecords(api);
  await staffPage.goto('/documents/all');
  await expect(staffPage.getByText(/^Showing 1 to/)).toBeVisible();
  await look(staffPage, 'all-documents');
});

test('a document', async ({ adminPage, api }) => {
  const { document } = await makeRecords(api);
  await adminPage.goto(`/documents/${document.id}`);
  await heading(adminPage, document.filename);
  await expect(pdfPage(adminPage, 1).locator('.textLayer')).toContainText('Annual report');
  await look(adminPage, 'document');
});

test('a document in a tab of its own, with hits and the find box', async ({ staffPage, api }) => {
  const { document } = await makeRecords(api);
  await expect.poll(() => api.textStateOf(document.id)).toBe('ready');
  await staffPage.goto(`${await viewLink(api, document)}#page=1&q=report`);
  await expect(pdfPage(staffPage, 1).locator('.highlight')).toHaveText('report');
  await tool(staffPage, 'Find').click();
  await staffPage.keyboard.type('annual');
  await expect(viewer(staffPage).getByText('1 of 1', { exact: true })).toBeVisible();
  await look(staffPage, 'document-window');
});

test('a link to a document that has expired', async ({ page, api, expectConsole }) => {
  expectConsole(failedCall);
  const { document } = await makeRecords(api);
  await page.goto((await viewLink(api, document)).replace('signature=', 'signature=x'));
  await heading(page, 'This link does not work any more');
  await look(page, 'document-link-expired');
});

test('a document that is shown as text, and one that cannot be shown', async ({ staffPage, api }) => {
  const { id } = await api.makeCustomer();
  const text = await api.makeDocument(id, { content: Buffer.from(`${rightToLeft}\nA word to mark`) });
  const cut = await api.makeDocument(id, { filename: 'cut.pdf', content: Buffer.from('%PDF-1.7 cut') });
  await expect.poll(() => api.textStateOf(text.id)).toBe('ready');
  await staffPage.goto(`/documents/${text.id}?page=1&q=mark`);
  await expect(viewer(staffPage).locator('mark')).toHaveText('mark');
  await look(staffPage, 'document-text');
  await staffPage.goto(`/documents/${cut.id}`);
  await expect(viewer(staffPage).getByRole('button', { name: 'Download the file' })).toBeVisible();
  await look(staffPage, 'document-damaged');
});

test('the question before a document is deleted', async ({ adminPage, api }) => {
  const { document } = await makeRecords(api);
  await adminPage.goto(`/documents/${document.id}`);
  await adminPage.getByRole('button', { name: /^Delete/ }).click();
  await expect(adminPage.getByRole('dialog')).toBeVisible();
  await look(adminPage, 'delete-document');
});

test('the upload', async ({ adminPage, api }) => {
  const { customer } = await makeRecords(api);
  await adminPage.goto(`/documents/upload?customer=${customer.id}`);
  await expect(adminPage.getByRole('combobox', { name: 'Customer' })).toHaveValue(customer.name);
  await look(adminPage, 'upload');
});

test('an upload under way', async ({ adminPage, api }) => {
  await openUpload(adminPage, await api.makeCustomer());
  await chooseFile(adminPage, makeFile('report.txt'));
  const { release } = await holdCalls(adminPage, '/api/documents');
  await uploadButton(adminPage).click();
  await expectProgress(adminPage, 90);
  await look(adminPage, 'upload-under-way');
  release();
  await expect(adminPage).toHaveURL('/documents');
});

test('the edited document', async ({ adminPage, api }) => {
  const { document } = await makeRecords(api);
  await adminPage.goto(`/documents/${document.id}/edit`);
  await expect(adminPage.getByLabel('Filename')).toHaveValue(document.filename);
  await look(adminPage, 'edit-document');
});

/** Lets the first uploads pass and holds the others. */
const holdUploadsAfter = (page: Page, count: number) => {
  let uploads = 0;
  return page.route('**/api/documents', (route) => {
    uploads += 1;
    return uploads > count ? undefined : route.fallback();
  });
};

test('uploads that were saved, refused and are under way', async ({ adminPage, api }) => {
  const { customer } = await makeRecords(api);
  await adminPage.goto(`/customers/${customer.id}`);
  await expect(adminPage.getByRole('button', { name: 'Upload files' })).toBeVisible();
  await holdUploadsAfter(adminPage, 2);
  const names = [
    `${rightToLeft}.txt`,
    'plan.txt',
    `${'annual-report-'.repeat(13)}2026.pdf`,
    'a.docx',
    'b.doc',
    'c.txt',
  ];
  const program = { name: 'tool.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') };
  await dragFiles(adminPage, 'drop', [...names.map(makeFile), program]);
  await expectQueue(adminPage, '2 of 7 uploaded, 1 failed');
  await look(adminPage, 'uploads', ['wide-light', 'narrow-light', 'narrow-dark']);
});

test('files that are dragged over a screen', async ({ adminPage, api }) => {
  const { customer } = await makeRecords(api);
  await adminPage.goto(`/customers/${customer.id}`);
  await expect(adminPage.getByRole('button', { name: 'Upload files' })).toBeVisible();
  await adminPage.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['Words'], 'plan.txt'));
    const drag = () =>
      document.body.dispatchEvent(new DragEvent('dragover', { bubbles: true, dataTransfer }));
    setInterval(drag, 100);
  });
  await expect(adminPage.getByText(/^Drop files to upload/)).toBeVisible();
  await look(adminPage, 'dragged-files');
});

test('the question for whom files are', async ({ adminPage, api }) => {
  await makeRecords(api);
  await adminPage.goto('/documents/all');
  await heading(adminPage, 'All Documents');
  await dragFiles(adminPage, 'drop', ['a.txt', 'b.txt'].map(makeFile));
  const dialog = adminPage.getByRole('dialog', { name: 'Upload files' });
  await dialog.getByRole('combobox').click();
  await expect(dialog.getByRole('option').first()).toBeVisible();
  await look(adminPage, 'files-for-whom');
});

test('what was just uploaded', async ({ adminPage, api }) => {
  const { customer } = await makeRecords(api);
  await adminPage.goto(`/documents/upload?customer=${customer.id}`);
  await expect(adminPage.getByRole('combobox', { name: 'Customer' })).toHaveValue(customer.name);
  await chooseFile(adminPage, makeFile(`${rightToLeft}.txt`));
  await uploadButton(adminPage).click();
  await expect(adminPage.getByRole('region', { name: 'Just uploaded' })).toBeVisible();
  await expect(adminPage.getByRole('link', { name: 'Open document' })).toBeVisible();
  await look(adminPage, 'just-uploaded');
});

test('the profile', async ({ adminPage }) => {
  await adminPage.goto('/profile');
  await expect(adminPage.getByRole('button', { name: 'Save Changes' })).toBeVisible();
  await look(adminPage, 'profile');
});

test('the question who it is', async ({ staffPage, expectConsole }) => {
  expectConsole(failedCall);
  const body = { error: 'Please confirm that it is you', code: 'CONFIRMATION_REQUIRED' };
  await answerCalls(staffPage, 'POST', '/api/auth/mfa/setup/start', { status: 403, body });
  await staffPage.goto('/profile');
  await staffPage.getByRole('button', { name: 'Set up MFA' }).click();
  await expect(staffPage.getByRole('dialog', { name: 'Confirm it is you' })).toBeVisible();
  await look(staffPage, 'confirm-it-is-you');
});

test('the change of a password', async ({ staffPage }) => {
  await staffPage.goto('/change-password');
  await expect(staffPage.getByRole('textbox', { name: 'Current password' })).toBeVisible();
  await look(staffPage, 'change-password');
});

test('the invitation', async ({ adminPage }) => {
  await adminPage.goto('/admin/invite');
  await heading(adminPage, 'Invite New User');
  await look(adminPage, 'invite');
});

test('the users, and what can be done with one', async ({ adminPage, api }) => {
  await api.invite('staff', longName);
  const { email } = await api.invite('admin', rightToLeft);
  await adminPage.goto('/admin/users');
  await expect(adminPage.getByRole('row').filter({ hasText: email })).toBeVisible();
  await look(adminPage, 'users');
  await adminPage.getByRole('row').filter({ hasText: email }).getByRole('button').click();
  await adminPage.getByRole('menuitem', { name: 'Change name or role' }).click();
  await adminPage.getByLabel('Role').selectOption('Staff');
  await look(adminPage, 'edit-user');
});

test('the activity log, with a row that is open', async ({ adminPage, api }) => {
  const { customer } = await makeRecords(api);
  await api.put(`/api/customers/${customer.id}`, { city: 'Bonn', street_line: null });
  await adminPage.goto(`/admin/activity?customer_id=${customer.id}`);
  await adminPage.getByRole('button', { name: 'Details' }).first().click();
  await expect(adminPage.getByRole('list', { name: 'Changes' })).toContainText('Bonn');
  await look(adminPage, 'activity');
  await adminPage.goto('/admin/activity');
  await expect(adminPage.getByRole('row').nth(1)).toBeVisible();
  await look(adminPage, 'activity-all');
});

test('the activity log without a match', async ({ adminPage }) => {
  await adminPage.goto('/admin/activity?action=mfa.reset&person=999999');
  await expect(adminPage.getByText('Nothing found')).toBeVisible();
  await look(adminPage, 'activity-empty');
});

test('the history of a customer', async ({ adminPage, api }) => {
  const { customer } = await makeRecords(api);
  await api.makeDocument(customer.id, { filename: 'plan.txt' });
  await api.put(`/api/customers/${customer.id}`, { city: 'Bonn', name: `${longName.slice(0, 190)} Ltd` });
  await adminPage.goto(`/customers/${customer.id}`);
  await adminPage.getByRole('button', { name: 'Show history' }).click();
  await expect(adminPage.getByRole('region', { name: 'History' })).toContainText('Bonn');
  await look(adminPage, 'history');
});

test('a screen for others', async ({ staffPage }) => {
  await staffPage.goto('/admin/invite');
  await heading(staffPage, 'Access Denied');
  await look(staffPage, 'access-denied');
});

test('a document that is not there', async ({ staffPage, expectConsole }) => {
  expectConsole(failedCall);
  await staffPage.goto('/documents/999999');
  await expect(staffPage.getByText('Document not found')).toBeVisible();
  await look(staffPage, 'document-not-found');
});

test('a list that cannot be loaded', async ({ staffPage, expectConsole }) => {
  expectConsole(failedCall);
  await staffPage.route('**/api/customers?*', (route) => route.abort());
  await staffPage.goto('/customers/all');
  await expect(staffPage.getByText('Error loading customers. Please try again.')).toBeVisible();
  await look(staffPage, 'all-customers-failed');
});

test('a list that is still loading', async ({ staffPage }) => {
  await staffPage.route('**/api/customers?*', () => undefined);
  await staffPage.goto('/customers/all');
  await expect(staffPage.getByRole('table')).toBeVisible();
  await look(staffPage, 'all-customers-loading');
});

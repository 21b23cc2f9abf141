import type { Customer } from '@customer-database/contract/customers';
import type { Document } from '@customer-database/contract/documents';
import type { Page } from '@playwright/test';
import { type Api, makePdf, unique, uniqueEmail } from './support/api.ts';
import { Authenticator } from './support/authenticator.ts';
import { answerCalls, failure, holdCalls } from './support/calls.ts';
import { chooseFile, makeFile } from './support/files.ts';
import { look } from './support/look.ts';
import { repeat } from './support/repeat.ts';

import { signInAs } from './support/session.ts';
import { test as base, expect } from './support/test.ts';
import { dragFiles, expectQueue } from './support/upload-queue.ts';
import { expectProgress, openUpload, uploadButton } from './support/upload-screen.ts';
import { pdfPage, tool, viewer, viewLink } from './support/viewer.ts';

const longName = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(6).slice(0, 200);
const rightToLeft = 'شركة النور للتجارة والخدمات المحدودة';

type Records = { customer: Customer; document: Document; text: Document; cut: Document };

/** Everything that can break a layout. */
async function makeRecords(api: Api): Promise<Records> {
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
  await repeat(51, (number) => api.makeCustomer({ name: `Citizen ${number}`, city: 'Crowded' }));
  const { id } = customer;
  const filename = `${'annual-report-'.repeat(15)}2026.pdf`;
  const description = 'Signed copy.\nSecond line of the description.';
  const document = await api.makeDocument(id, { filename, content: makePdf('Annual report'), description });
  const text = await api.makeDocument(id, {
    filename: `${rightToLeft}.txt`,
    content: Buffer.from(`${rightToLeft}\nA word to mark`),
  });
  const cut = await api.makeDocument(id, { filename: 'cut.pdf', content: Buffer.from('%PDF-1.7 cut') });
  await api.put(`/api/customers/${id}`, { province: 'Berlin', street_line: null });
  await api.invite('staff', longName);
  for (const each of [document, text]) await api.waitForText(each.id);
  return { customer, document, text, cut };
}

const test = base.extend<{ records: Records }>({
  records: async ({ once }, use) => use(await once(makeRecords)),
});

test.use({ callsMayFail: true });

test.describe.configure({ timeout: 120_000 });

type Screen = [
  user: 'admin' | 'staff' | 'signed-out',
  /** Also that of the screenshots. */
  name: string,
  path: string | ((records: Records) => string),
  /** Visible once the screen has its content. */
  text: string | RegExp,
];

const screens: Screen[] = [
  ['signed-out', 'login', '/login', 'Sign in to your account'],
  ['staff', 'search-before', '/search', 'What are you looking for?'],
  [
    'staff',
    'search',
    ({ customer }) => `/search?q=annual+report&customer_id=${customer.id}`,
    'Inside documents',
  ],
  ['staff', 'search-customers', '/search?q=wolfeschlegel&in=customers', /^Customers \(\d/],
  ['staff', 'search-empty', '/search?q=no-such-thing', 'Nothing found'],
  ['staff', 'customer-search-empty', '/customers?name=no-such-customer', /^No customers found/],
  ['staff', 'all-documents', '/documents/all', /^Showing 1 to/],
  ['staff', 'document-text', ({ text }) => `/documents/${text.id}?page=1&q=mark`, 'mark'],
  ['staff', 'document-damaged', ({ cut }) => `/documents/${cut.id}`, 'Download the file'],
  ['staff', 'document-not-found', '/documents/999999', 'Document not found'],
  ['staff', 'change-password', '/change-password', 'Current password'],
  ['staff', 'access-denied', '/admin/invite', 'Access Denied'],
  ['admin', 'customer-search-before', '/customers', 'No search performed'],
  ['admin', 'customer-search', ({ customer }) => `/customers?name=${customer.name}`, / found$/],
  ['admin', 'customer-search-last-page', '/customers?name=Citizen&page=99', /^Page (\d+) of \1$/],
  ['admin', 'all-customers', '/customers/all', /^Showing 1 to/],
  ['admin', 'document-search-before', '/documents', 'No search performed'],
  ['admin', 'document-search', '/documents?filename=annual', / found$/],
  ['admin', 'edit-document', ({ document }) => `/documents/${document.id}/edit`, 'Save Changes'],
  ['admin', 'upload', ({ customer }) => `/documents/upload?customer=${customer.id}`, 'Upload guidelines'],
  ['admin', 'profile', '/profile', 'Save Changes'],
  ['admin', 'invite', '/admin/invite', 'Send invitation'],
  ['admin', 'activity-all', '/admin/activity', '127.0.0.1'],
  ['admin', 'activity-empty', '/admin/activity?action=mfa.reset&person=999999', 'Nothing found'],
];

async function open(page: Page, path: string, text: string | RegExp): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(path);
  await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

for (const [user, group] of Map.groupBy(screens, ([each]) => each)) {
  test(`screens, ${user}`, async ({ openAs, admin, staff, records }) => {
    test.setTimeout(test.info().timeout + group.length * 30_000);
    const page = await openAs({ admin, staff, 'signed-out': undefined }[user]);
    for (const [, name, path, text] of group) {
      await test.step(name, async () => {
        await open(page, typeof path === 'string' ? path : path(records), text);
        await look(page, name);
      });
    }
  });
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('the dashboard, the menu with a long name, and the quick search', async ({ openAs, api, records }) => {
  const { customer } = records;
  const page = await openAs(await api.makeUser('admin', longName));
  await open(page, '/dashboard', 'Connected');
  await look(page, 'dashboard');
  await button(page, 'Open menu').click();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'All Customers' })).toBeVisible();
  await look(page, 'menu', ['narrow-light', 'narrow-dark']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Quick search' }).fill(customer.name.slice(0, 12));
  await expect(page.getByRole('option', { name: customer.name }).first()).toBeVisible();
  await look(page, 'quick-search');
});

test('a customer, its history and its form', async ({ adminPage: page, api, records: { customer } }) => {
  await open(page, `/customers/${customer.id}`, 'Documents (3)');
  await look(page, 'customer');
  await button(page, 'Show history').click();
  await expect(page.getByRole('region', { name: 'History' })).toContainText('Berlin');
  await look(page, 'history');
  await open(page, `/customers/${customer.id}/edit`, 'Save Changes');
  await look(page, 'edit-customer');
  await page.goto(`/customers/${(await api.makeCustomer()).id}/edit`);
  await button(page, 'Delete customer').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await look(page, 'delete-customer');
});

test('the form to add a customer, filled in wrongly', async ({ adminPage: page }) => {
  await open(page, '/customers/new', 'Create Customer');
  await button(page, 'Create Customer').click();
  await expect(page.getByText('Date of Birth is required')).toBeVisible();
  await look(page, 'new-customer');
});

test('a document, and its deletion', async ({ adminPage: page, records: { document } }) => {
  await page.goto(`/documents/${document.id}`);
  await expect(pdfPage(page, 1).locator('.textLayer')).toContainText('Annual report');
  await look(page, 'document');
  await button(page, /^Delete/).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await look(page, 'delete-document');
});

test('the link to a document, and one that has expired', async ({ page, api, records: { document } }) => {
  const link = await viewLink(api, document);
  await page.goto(`${link}#page=1&q=report`);
  await expect(pdfPage(page, 1).locator('.highlight')).toHaveText('report');
  await tool(page, 'Find').click();
  await page.keyboard.type('annual');
  await expect(viewer(page).getByText('1 of 1', { exact: true })).toBeVisible();
  await look(page, 'document-window');
  await page.goto(link.replace('signature=', 'signature=x'));
  await expect(page.getByText('This link does not work any more')).toBeVisible();
  await look(page, 'document-link-expired');
});

test('a list that is still loading, and one that cannot be loaded', async ({ staffPage: page }) => {
  const { release } = await holdCalls(page, '/api/customers');
  await page.goto('/customers/all');
  await expect(page.getByRole('table')).toBeVisible();
  await look(page, 'all-customers-loading');
  release();
  await answerCalls(page, 'GET', '/api/customers', failure);
  await page.reload();
  await expect(page.getByText('Error loading customers. Please try again.')).toBeVisible();
  await look(page, 'all-customers-failed');
});

test('an upload under way, and what was just uploaded', async ({
  adminPage: page,
  records: { customer },
}) => {
  await openUpload(page, customer);
  await chooseFile(page, makeFile(`${unique(rightToLeft)}.txt`));
  const { release } = await holdCalls(page, '/api/documents');
  await uploadButton(page).click();
  await expectProgress(page, 90);
  await look(page, 'upload-under-way');
  release();
  await expect(page.getByRole('region', { name: 'Just uploaded' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open document' })).toBeVisible();
  await look(page, 'just-uploaded');
});

test('files that are dragged, and their uploads', async ({ adminPage: page, records: { customer } }) => {
  let uploads = 0;
  // Lets the first two pass and holds the others.
  await page.route('**/api/documents', (route) => {
    uploads += 1;
    return uploads > 2 ? undefined : route.fallback();
  });
  const names = [`${unique(rightToLeft)}.txt`, 'plan.txt', `${'annual-report-'.repeat(13)}2026.pdf`];
  const program = { name: 'tool.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') };
  await open(page, '/documents/all', /^Showing 1 to/);
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['Words'], 'plan.txt'));
    const drag = () =>
      document.body.dispatchEvent(new DragEvent('dragover', { bubbles: true, dataTransfer }));
    Object.assign(window, { dragging: setInterval(drag, 100) });
  });
  await expect(page.getByText(/^Drop files to upload/)).toBeVisible();
  await look(page, 'dragged-files');
  await page.evaluate(() => clearInterval((window as unknown as { dragging: number }).dragging));
  await dragFiles(page, 'drop', [...[...names, 'a.docx', 'b.doc', 'c.txt'].map(makeFile), program]);
  const dialog = page.getByRole('dialog', { name: 'Upload files' });
  await dialog.getByRole('combobox').fill(rightToLeft);
  await expect(dialog.getByRole('option').first()).toBeVisible();
  await look(page, 'files-for-whom');
  await dialog.getByRole('combobox').fill(customer.email ?? '');
  await dialog.getByRole('option', { name: customer.name }).click();
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await expectQueue(page, '2 of 7 uploaded, 1 failed');
  await look(page, 'uploads', ['wide-light', 'narrow-light', 'narrow-dark']);
});

test('the users, and the form to change one', async ({ adminPage: page, api, records: _ }) => {
  const { email } = await api.invite('admin', rightToLeft);
  await page.goto('/admin/users');
  const row = page.getByRole('row').filter({ hasText: email });
  await expect(row).toBeVisible();
  await look(page, 'users');
  await row.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Change name or role' }).click();
  await page.getByLabel('Role').selectOption('Staff');
  await look(page, 'edit-user');
});

test('the activity log, with a row that is open', async ({ adminPage: page, records: { customer } }) => {
  await open(page, `/admin/activity?customer_id=${customer.id}&action=customer.updated`, 'Changed customer');
  await button(page, 'Details').first().click();
  await expect(page.getByRole('list', { name: 'Changes' })).toContainText('Berlin');
  await look(page, 'activity');
});

test.describe(() => {
  test.use({ ownAccounts: true });

  test('the steps of MFA', async ({ staffPage: page, staff }) => {
    const body = { error: 'Please confirm that it is you', code: 'CONFIRMATION_REQUIRED' };
    const path = '/api/auth/mfa/setup/start';
    const { restore } = await answerCalls(page, 'POST', path, { status: 403, body });
    await page.goto('/profile');
    await button(page, 'Set up MFA').click();
    await expect(page.getByRole('dialog', { name: 'Confirm it is you' })).toBeVisible();
    await look(page, 'confirm-it-is-you');
    await restore();
    await page.reload();
    await button(page, 'Set up MFA').click();
    await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
    await look(page, 'mfa-setup');
    const app = new Authenticator((await page.getByRole('code').textContent()) ?? '');
    await page.getByLabel('MFA code').fill(await app.nextCode());
    await button(page, 'Turn on MFA').click();
    await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
    await look(page, 'recovery-codes');
    await page.getByLabel('I have saved these codes').check();
    await button(page, 'Done').click();
    await page.setViewportSize({ width: 1280, height: 900 });
    await button(page, 'Sign out').click();
    await signInAs(page, staff);
    await expect(page.getByLabel('Enter your MFA code', { exact: true })).toBeFocused();
    await look(page, 'login-mfa');
  });
});

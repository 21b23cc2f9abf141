import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Request } from '@playwright/test';
import { makePdf, send } from './support/api.ts';
import { createButton, fillCustomer } from './support/customer-form.ts';
import { card, systemFact } from './support/dashboard.ts';
import { chooseFile } from './support/files.ts';
import { look } from './support/look.ts';
import { adminActions, expectScreen } from './support/screens.ts';
import { keepSecretsOf } from './support/secrets.ts';
import { type Server, startServer, withoutAdmin } from './support/server.ts';
import { signInAs } from './support/session.ts';
import { test as base, expect } from './support/test.ts';
import { customerField, uploadButton } from './support/upload-screen.ts';

/** For one test, so that the tests of other files stay with the server of their worker. */
const test = base.extend<{ emptyServer: Server }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  emptyServer: async ({}, use) => {
    const server = await startServer(withoutAdmin);
    await use(server);
    await server.stop();
  },
});
test.use({ callsMayFail: true });

const founder = { name: 'Ada Founder', email: 'ada@example.com', password: 'first of all' };
const customer = {
  name: 'Zoë Ångström',
  dob: '1984-02-29',
  email: 'zoe@angstrom.example',
  phone_number: '+46 (8) 123-45 67',
  street_line: 'Storgatan 5',
  city: 'Uppsala',
  province: 'Uppland',
  country: 'Sverige',
};
const file = { name: 'Agreement 2026.pdf', mimeType: 'application/pdf', buffer: makePdf('Signed by both.') };
const colleague = { name: 'Ben Colleague', email: 'ben@example.com' };
const chosenPassword = 'my very own words';

async function goTo(page: Page, link: string, title = link): Promise<void> {
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: link }).click();
  await expectScreen(page, title);
}

async function find(page: Page, screen: string, terms: Record<string, string>, found: string): Promise<void> {
  await goTo(page, screen);
  const form = page.getByRole('search');
  for (const [label, term] of Object.entries(terms)) {
    await form.getByLabel(label, { exact: true }).fill(term);
    await form.getByRole('button', { name: 'Search' }).click();
    await expect(page.getByRole('table').getByRole('link', { name: found, exact: true })).toBeVisible();
    await form.getByRole('button', { name: 'Reset' }).click();
  }
}

/** Returns the document's number. */
async function viewAndDownload(page: Page): Promise<number> {
  await goTo(page, 'All Documents');
  await page.getByRole('link', { name: file.name }).click();
  await expectScreen(page, file.name);
  const opened = page.waitForEvent('popup');
  const isOfViewer = (request: Request) =>
    request.url().includes('/content?purpose=view') && !request.isNavigationRequest();
  const answered = page.context().waitForEvent('response', (response) => isOfViewer(response.request()));
  await page.getByRole('button', { name: 'View in Browser' }).click();
  const tab = await opened;
  await expect(tab).toHaveTitle(file.name);
  expect(await (await answered).headerValue('content-type')).toBe('application/pdf');
  // Background tabs render once a second.
  await tab.close();
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const download = await started;
  expect(download.suggestedFilename()).toBe(file.name);
  expect(await readFile(await download.path())).toEqual(file.buffer);
  return Number(page.url().split('/').at(-1));
}

/** Returns the temporary password. */
async function invite(page: Page): Promise<string> {
  await goTo(page, 'Invite user', 'Invite New User');
  await page.getByLabel('Email').fill(colleague.email);
  await page.getByLabel('Name (optional)').fill(colleague.name);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText('Invitation sent successfully', { exact: true })).toBeVisible();
  return (await page.getByRole('code').textContent()) ?? '';
}

async function changePassword(page: Page, currentPassword: string): Promise<void> {
  await page.getByLabel('Current password', { exact: true }).fill(currentPassword);
  await page.getByLabel('New password', { exact: true }).fill(chosenPassword);
  await page.getByLabel('Confirm new password', { exact: true }).fill(chosenPassword);
  await page.getByRole('button', { name: 'Change password' }).click();
}

/** Every screen shows that there is nothing yet. */
async function expectNothing(page: Page): Promise<void> {
  for (const [screen, text] of [
    ['All Customers', 'No customers found'],
    ['All Documents', 'No documents found'],
  ] as const) {
    await goTo(page, screen);
    await expect(page.getByText(text, { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Go to the first page' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Next' })).toHaveCount(0);
  }
  await page.getByRole('link', { name: 'Upload Document' }).click();
  await chooseFile(page, file);
  await expect(page.getByText('There are no customers yet.')).toBeVisible();
  await look(page, 'upload-without-customers', ['narrow-dark', 'wide-light']);
  await expect(uploadButton(page)).toBeDisabled();
  await customerField(page).click();
  await expect(page.getByText('No customers found', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await goTo(page, 'Dashboard');
  await expect(card(page, 'Total Customers')).toHaveText('Total Customers0None yet');
  await expect(card(page, 'Total Documents')).toHaveText('Total Documents0None yet');
  await expect(card(page, 'Active Users')).toHaveText('Active Users1in the last 30 days');
  await expect(card(page, 'This Month')).toHaveText('This Month0documents added');
  await expect(systemFact(page, 'Last Backup')).toHaveText('No backup yet');
  await expect(systemFact(page, 'Uptime')).toHaveText(/^\d min$/);
}

/** Counts the first records, and reports that the storage is gone. */
async function expectFirstFigures(page: Page, server: Server): Promise<void> {
  await goTo(page, 'Dashboard');
  await expect(card(page, 'Total Customers')).toHaveText('Total Customers1All new in 30 days');
  await expect(card(page, 'Total Documents')).toHaveText('Total Documents1All new in 30 days');
  await expect(card(page, 'This Month')).toHaveText('This Month1documents added');
  const folder = join(server.dataDir, 'objects');
  await rename(folder, `${folder}-away`);
  try {
    // The server caches the health of its storage.
    await expect.poll(async () => (await send(server.url, 'GET', '/s3/health')).status).toBe(503);
    await page.reload();
    await expect(systemFact(page, 'Document Storage')).toHaveText('Disconnected');
    await expect(systemFact(page, 'System Status')).toHaveText('Connected');
  } finally {
    await rename(`${folder}-away`, folder);
  }
  await expect.poll(async () => (await send(server.url, 'GET', '/s3/health')).status).toBe(200);
}

test('from an empty server to a colleague who may look but not change', async ({
  emptyServer: server,
  browser,
  consoleWatch,
}) => {
  test.slow();
  const ids = { customer: 0, document: 0 };
  const openTab = async () => {
    const context = await browser.newContext({ baseURL: server.url });
    consoleWatch.watch(context);
    keepSecretsOf(context);
    return context.newPage();
  };
  const page = await openTab();

  await test.step('the printed link makes the first administrator', async () => {
    await page.goto(/Create the first administrator at (http[^\s"]+)/.exec(server.output())?.[1] ?? '');
    await page.getByLabel('Name').fill(founder.name);
    await page.getByLabel('Email').fill(founder.email);
    await page.getByLabel('Password', { exact: true }).fill(founder.password);
    await page.getByRole('button', { name: 'Create administrator' }).click();
    await expect(page).toHaveURL('/dashboard');
    await expectScreen(page, 'Dashboard');
  });

  await test.step('who sees that there is nothing yet', () => expectNothing(page));

  await test.step('adds a customer', async () => {
    await goTo(page, 'Customer Search');
    await page.getByRole('link', { name: 'Add Customer' }).click();
    await expectScreen(page, 'Add Customer');
    await fillCustomer(page, customer);
    await createButton(page).click();
    await expectScreen(page, customer.name);
    ids.customer = Number(page.url().split('/').at(-1));
  });

  await test.step('uploads a PDF', async () => {
    await page.getByRole('link', { name: 'Upload document' }).click();
    await expect(customerField(page)).toHaveValue(customer.name);
    await chooseFile(page, file);
    await uploadButton(page).click();
    await expect(page).toHaveURL('/documents');
  });

  await test.step('views and downloads it', async () => {
    ids.document = await viewAndDownload(page);
  });

  await test.step('finds it and the customer', async () => {
    await find(page, 'Document Search', { 'Customer name': 'angstrom', Filename: 'agreement' }, file.name);
    await find(page, 'Customer Search', { Name: 'zoe', 'Phone number': '8 1234567' }, customer.name);
  });

  await test.step('sees the first figures', () => expectFirstFigures(page, server));

  const temporaryPassword = await test.step('invites a colleague', () => invite(page));

  const second = await openTab();

  await test.step('who signs in elsewhere and is made to change the password', async () => {
    await second.goto('/');
    await expect(second).toHaveURL('/login');
    await signInAs(second, { email: colleague.email, password: temporaryPassword });
    await expect(second).toHaveURL('/change-password');
    await changePassword(second, temporaryPassword);
    await expect(second).toHaveURL('/profile');
    await expect(second.getByText('Password changed successfully', { exact: true })).toBeVisible();
    await expect(second.getByRole('link', { name: colleague.name })).toContainText('Staff');
  });

  await test.step('may view and download', async () => {
    expect(await viewAndDownload(second)).toBe(ids.document);
  });

  await test.step('but change nothing', async () => {
    await expect(adminActions(second)).toHaveCount(0);
    await second.goto(`/customers/${ids.customer}`);
    await expectScreen(second, customer.name);
    await expect(adminActions(second)).toHaveCount(0);
    await second.goto(`/customers/${ids.customer}/edit`);
    await expectScreen(second, 'Access Denied');
  });
  for (const tab of [page, second]) await tab.context().close();
});

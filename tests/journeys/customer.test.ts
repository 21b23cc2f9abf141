import type { Page } from '@playwright/test';
import { makePdf, unique } from './support/api.ts';
import { answerCalls, failure, recordCalls } from './support/calls.ts';
import { expect, failedCall, test } from './support/test.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const information = (page: Page) => page.getByRole('region', { name: 'Information' });
const facts = (page: Page) => information(page).getByRole('definition');

test('the details show everything about the customer, and the documents', async ({
  staffPage: page,
  api,
}) => {
  const customer = await api.makeCustomer({
    dob: '1980-05-17',
    phone_number: '+1 (902) 555-0100 ext. 12',
    street_line: '1 Main Street',
    city: 'Halifax',
    province: 'Nova Scotia',
    country: 'Canada',
  });
  const { email = '' } = customer;
  await api.makeDocument(customer.id, { filename: 'contract.pdf', content: makePdf('Contract') });
  await api.makeDocument(customer.id, { filename: 'letter.txt' });
  await page.goto(`/customers/${customer.id}`);
  await expect(heading(page, customer.name)).toBeVisible();
  await expect(page).toHaveTitle(`${customer.name} · Customer Database`);
  await expect(information(page).getByRole('term')).toHaveText([
    'Date of birth',
    'Email',
    'Phone',
    'Address',
    'Created',
    'Last updated',
  ]);
  await expect(facts(page)).toHaveText([
    '17 May 1980',
    email ?? '',
    '+1 (902) 555-0100 ext. 12',
    '1 Main StreetHalifax, Nova ScotiaCanada',
    /\d{4}, \d\d:\d\d$/,
    /\d{4}, \d\d:\d\d$/,
  ]);
  await expect(facts(page).nth(4).getByRole('time')).toHaveAttribute('datetime', customer.created_at);
  await expect(facts(page).nth(5).getByRole('time')).toHaveAttribute('datetime', customer.updated_at);
  await expect(page.getByRole('link', { name: email ?? '' })).toHaveAttribute('href', `mailto:${email}`);
  await expect(page.getByRole('link', { name: /ext\. 12/ })).toHaveAttribute('href', 'tel:+19025550100');
  const documents = page.getByRole('region', { name: 'Documents (2)', exact: true });
  await expect(documents.getByRole('link', { name: 'letter.txt', exact: true })).toBeVisible();
  await documents.getByRole('link', { name: 'contract.pdf', exact: true }).click();
  await expect(heading(page, 'contract.pdf')).toBeFocused();
});

test('unknown fields show a dash, and a customer without documents says so', async ({
  staffPage: page,
  api,
}) => {
  const customer = await api.makeCustomer();
  await page.goto(`/customers/${customer.id}`);
  await expect(facts(page).nth(2)).toHaveText('–');
  await expect(facts(page).nth(3)).toHaveText('–');
  const documents = page.getByRole('region', { name: 'Documents (0)', exact: true });
  await expect(
    documents.getByText("This customer doesn't have any documents yet.", { exact: true }),
  ).toBeVisible();
});

test('a deleted or unknown customer is not found', async ({ staffPage: page, api, expectConsole }) => {
  expectConsole(failedCall);
  const { id } = await api.makeCustomer();
  await api.delete(`/api/customers/${id}`);
  for (const address of [`/customers/${id}`, '/customers/0', '/customers/no-number']) {
    await page.goto(address);
    await expect(heading(page, 'Customer not found')).toBeVisible();
    await expect(information(page)).toHaveCount(0);
  }
  await page.getByRole('link', { name: 'Back to All Customers' }).click();
  await expect(page).toHaveURL('/customers/all');
});

test('a failed fetch of the customer is retried once, then shows an error and a retry', async ({
  staffPage: page,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const customer = await api.makeCustomer();
  const call = ['GET', `/api/customers/${customer.id}`] as const;
  const calls = recordCalls(page, ...call);
  const { restore } = await answerCalls(page, ...call, failure);
  await page.goto(`/customers/${customer.id}`);
  const alert = page.getByRole('alert');
  await expect(alert.getByText('Error loading customers. Please try again.', { exact: true })).toBeVisible();
  expect(calls).toHaveLength(2);
  await restore();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(heading(page, customer.name)).toBeVisible();
});

test('the customer is shown even when the documents fail to load', async ({
  staffPage: page,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const customer = await api.makeCustomer();
  const call = ['GET', `/api/documents/customer/${customer.id}`] as const;
  const { restore } = await answerCalls(page, ...call, failure);
  await page.goto(`/customers/${customer.id}`);
  await expect(heading(page, customer.name)).toBeVisible();
  const alert = page.getByRole('alert');
  await expect(alert.getByText('Error loading documents. Please try again.', { exact: true })).toBeVisible();
  await restore();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Documents (0)' })).toBeVisible();
});

test('admins can edit the customer and upload for them', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer();
  await page.goto(`/customers/${customer.id}`);
  await page.getByRole('link', { name: 'Edit information', exact: true }).click();
  await expect(page).toHaveURL(`/customers/${customer.id}/edit`);
  await expect(page.getByLabel('Name')).toHaveValue(customer.name);
  await page.goBack();
  await page.getByRole('link', { name: 'Upload document', exact: true }).click();
  await expect(page).toHaveURL(`/documents/upload?customer=${customer.id}`);
});

test('staff may view and download, and see no way to edit, upload or delete', async ({
  staffPage: page,
  adminPage,
  api,
}) => {
  const customer = await api.makeCustomer();
  const { filename } = await api.makeDocument(customer.id);
  const actions = (on: Page) => on.getByRole('row').filter({ hasText: filename }).getByRole('button');
  await page.goto(`/customers/${customer.id}`);
  await expect(actions(page)).toHaveCount(2);
  for (const name of [/edit/i, /upload/i, /delete/i]) {
    await expect(page.getByRole('main').getByRole('link', { name })).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('button', { name })).toHaveCount(0);
  }
  await adminPage.goto(`/customers/${customer.id}`);
  await expect(actions(adminPage)).toHaveCount(3);
});

for (const { locale, timezoneId, born, created, full } of [
  {
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    born: '17 May 1980',
    created: '1 Feb 2026, 00:30',
    full: /^Sunday.* 1 February 2026.* 00:30:15/,
  },
  {
    locale: 'de-DE',
    timezoneId: 'America/New_York',
    born: '17.05.1980',
    created: '31.01.2026, 18:30',
    full: /^Samstag, 31\. Januar 2026 .*18:30:15/,
  },
]) {
  test.describe(`for a reader in ${timezoneId} who reads ${locale}`, () => {
    test.use({ locale, timezoneId });

    test(`dates follow the user's locale (${locale}), with the full time on hover`, async ({
      staffPage: page,
      api,
    }) => {
      const customer = {
        ...(await api.makeCustomer({ dob: '1980-05-17' })),
        created_at: '2026-01-31T23:30:15.000Z',
      };
      await answerCalls(page, 'GET', `/api/customers/${customer.id}`, { status: 200, body: { customer } });
      await page.goto(`/customers/${customer.id}`);
      await expect(facts(page).nth(0)).toHaveText(born);
      await expect(facts(page).nth(4)).toHaveText(created);
      await expect(facts(page).nth(4).getByRole('time')).toHaveAttribute('title', full);
    });
  });
}

test('long and right-to-left names stay whole and within a narrow screen', async ({
  staffPage: page,
  api,
}) => {
  const tooWideBy = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const long = unique('x'.repeat(180)).replace(' ', '');
  const rightToLeft = unique('شركة النور للتجارة');
  await page.setViewportSize({ width: 390, height: 844 });
  for (const name of [long, rightToLeft]) {
    const { id } = await api.makeCustomer({ name, city: name.slice(0, 100) });
    await page.goto(`/customers/${id}`);
    await expect(heading(page, name)).toBeVisible();
    await expect(heading(page, name)).toHaveAttribute('dir', 'auto');
    expect(await tooWideBy()).toBeLessThanOrEqual(0);
    await page.goto(`/customers?name=${encodeURIComponent(name)}`);
    const link = page.getByRole('link', { name, exact: true });
    await expect(link).toHaveAttribute('title', name);
    await expect(link).toHaveAttribute('dir', 'auto');
    await expect(page.getByRole('link', { name: `View ${name}`, exact: true })).toBeVisible();
    expect(await tooWideBy()).toBeLessThanOrEqual(0);
  }
});

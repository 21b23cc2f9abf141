import type { Page } from '@playwright/test';
import { makePdf, unique } from './support/api.ts';
import { answerCalls } from './support/calls.ts';
import { expect, test } from './support/test.ts';
import { customerField } from './support/upload-screen.ts';

test.use({ callsMayFail: true });

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const information = (page: Page) => page.getByRole('region', { name: 'Information' });
const facts = (page: Page) => information(page).getByRole('definition');

test('the details show the customer and the newest documents first', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer({
    phone_number: '+1 (902) 555-0100 ext. 12',
    street_line: '1 Main Street',
    city: 'Halifax',
    province: 'Nova Scotia',
    country: 'Canada',
  });
  const email = customer.email ?? '';
  await api.makeDocument(customer.id, { filename: 'contract.pdf', content: makePdf('Contract') });
  await api.makeDocument(customer.id, { filename: 'letter.txt' });
  await page.goto(`/customers/${customer.id}`);
  await expect(heading(page, customer.name)).toBeVisible();
  const terms = ['Date of birth', 'Email', 'Phone', 'Address', 'Created', 'Last updated'];
  await expect(information(page).getByRole('term')).toHaveText(terms);
  await expect(facts(page)).toHaveText([
    '17 May 1980',
    email,
    '+1 (902) 555-0100 ext. 12',
    '1 Main StreetHalifax, Nova ScotiaCanada',
    /\d{4}, \d\d:\d\d$/,
    /\d{4}, \d\d:\d\d$/,
  ]);
  await expect(facts(page).nth(4).getByRole('time')).toHaveAttribute('datetime', customer.created_at);
  await expect(facts(page).nth(5).getByRole('time')).toHaveAttribute('datetime', customer.updated_at);
  await expect(page.getByRole('link', { name: email })).toHaveAttribute('href', `mailto:${email}`);
  await expect(page.getByRole('link', { name: /ext\. 12/ })).toHaveAttribute('href', 'tel:+19025550100');
  await expect(page.getByRole('heading', { level: 2, name: 'Documents (2)', exact: true })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Documents' }).getByRole('row')).toHaveText([
    'FilenameSizeUploadedActions',
    /^letter\.txt/,
    /^contract\.pdf/,
  ]);
  await page.getByRole('button', { name: 'Delete letter.txt' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'Documents (1)', exact: true })).toBeVisible();
  const contract = page.getByRole('link', { name: 'contract.pdf', exact: true });
  await expect(contract).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(heading(page, 'contract.pdf')).toBeFocused();
  await page.goBack();
  await page.getByRole('link', { name: 'Upload document', exact: true }).click();
  await expect(page).toHaveURL(`/documents/upload?customer=${customer.id}`);
  await expect(customerField(page)).toHaveValue(customer.name);
});

test('unknown fields show a dash; without documents it says so', async ({ staffPage: page, api }) => {
  await page.goto(`/customers/${(await api.makeCustomer()).id}`);
  await expect(facts(page).nth(2)).toHaveText('–');
  await expect(facts(page).nth(3)).toHaveText('–');
  await expect(page.getByRole('heading', { name: 'Documents (0)', exact: true })).toBeVisible();
  const nothing = "This customer doesn't have any documents yet.";
  await expect(page.getByText(nothing, { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Search in these documents' })).toHaveCount(0);
});

test('a deleted or unknown customer is not found', async ({ adminPage: page, api }) => {
  const { id } = await api.makeCustomer();
  await api.delete(`/api/customers/${id}`);
  for (const unknown of [id, 0, 'no-number']) {
    await page.goto(`/customers/${unknown}`);
    await expect(heading(page, 'Customer not found')).toBeVisible();
    await expect(information(page)).toHaveCount(0);
  }
  await page.getByRole('link', { name: 'Back to All Customers' }).click();
  await expect(page).toHaveURL('/customers/all');
  for (const unknown of [id, 'no-number']) {
    await page.goto(`/customers/${unknown}/edit`);
    await expect(heading(page, 'Customer Not Found')).toBeVisible();
    const text = "The customer you're looking for doesn't exist.";
    await expect(page.getByText(text, { exact: true })).toBeVisible();
    await expect(page.getByRole('textbox')).toHaveCount(0);
  }
});

test.describe('for a reader of German in New York', () => {
  test.use({ locale: 'de-DE', timezoneId: 'America/New_York' });

  test('dates follow the locale, with the full time on hover', async ({ staffPage: page, api }) => {
    const { id, ...fields } = await api.makeCustomer({ dob: '1980-05-17' });
    const body = { customer: { id, ...fields, created_at: '2026-01-31T23:30:15.000Z' } };
    await answerCalls(page, 'GET', `/api/customers/${id}`, { status: 200, body });
    await page.goto(`/customers/${id}`);
    await expect(facts(page).nth(0)).toHaveText('17.05.1980');
    await expect(facts(page).nth(4)).toHaveText('31.01.2026, 18:30');
    const full = /^Samstag, 31\. Januar 2026 .*18:30:15/;
    await expect(facts(page).nth(4).getByRole('time')).toHaveAttribute('title', full);
  });
});

test('long and right-to-left names stay whole', async ({ staffPage: page, api }) => {
  for (const name of [unique('x'.repeat(180)), unique('شركة النور للتجارة')]) {
    const { id } = await api.makeCustomer({ name });
    await page.goto(`/customers/${id}`);
    await expect(heading(page, name)).toHaveAttribute('dir', 'auto');
    await page.goto(`/customers?name=${encodeURIComponent(name)}`);
    const link = page.getByRole('link', { name, exact: true });
    await expect(link).toHaveAttribute('title', name);
    await expect(link).toHaveAttribute('dir', 'auto');
  }
});

import { unique, uniqueEmail } from './support/api.ts';
import { answerCalls, failure, recordCalls } from './support/calls.ts';
import {
  expectNoSearch,
  found,
  reset,
  search,
  searchField,
  searchLabels,
} from './support/customer-search.ts';
import { tabTo } from './support/keyboard.ts';
import { repeat } from './support/repeat.ts';
import { expect, failedCall, test } from './support/test.ts';

const searchCall = ['POST', '/api/customers/search'] as const;

test('nothing is searched for before a filter is filled and submitted', async ({ staffPage: page, api }) => {
  const { name } = await api.makeCustomer();
  const calls = recordCalls(page, ...searchCall);
  await page.goto('/customers');
  await expect(page.getByRole('heading', { level: 1, name: 'Customer Search' })).toBeVisible();
  await expect(searchField(page, 'Name')).toBeFocused();
  for (const label of searchLabels) await expect(searchField(page, label)).toHaveValue('');
  await expectNoSearch(page);
  await search(page);
  await searchField(page, 'City').fill('   ');
  await search(page);
  await searchField(page, 'Name').fill(name);
  await expectNoSearch(page);
  expect(calls).toHaveLength(0);
  await search(page);
  await expect(found(page, name)).toBeVisible();
  expect(calls).toHaveLength(1);
});

test('every one of the seven fields finds the customer', async ({ staffPage: page, api }) => {
  const values = {
    name: unique('Zoë Ångström'),
    email: uniqueEmail('zoe'),
    phone_number: '+49 (30) 901820-77',
    street_line: unique('Lange Straße'),
    city: unique('Kötzschenbroda'),
    province: unique('Sachsen'),
    country: unique('Deutschland'),
  };
  const { name } = await api.makeCustomer(values);
  await api.makeCustomer();
  await page.goto('/customers');
  const calls = recordCalls(page, ...searchCall);
  for (const [index, label] of searchLabels.entries()) {
    const [field = '', value = ''] = Object.entries(values)[index] ?? [];
    await searchField(page, label).fill(value);
    await search(page);
    await expect(found(page, name)).toBeVisible();
    expect(calls.at(-1)?.postDataJSON()).toEqual({ [field]: value });
    await reset(page);
    await expectNoSearch(page);
  }
  expect(calls).toHaveLength(searchLabels.length);
});

test('blank fields are dropped, and all the others have to match', async ({ staffPage: page, api }) => {
  const city = unique('Both');
  const jane = await api.makeCustomer({ name: unique('Jane'), city });
  const john = await api.makeCustomer({ name: unique('John'), city });
  const calls = recordCalls(page, ...searchCall);
  await page.goto('/customers');
  await searchField(page, 'City').fill(`  ${city} `);
  await searchField(page, 'Country').fill('   ');
  await search(page);
  await expect(found(page, john.name)).toBeVisible();
  await expect(page.getByText('2 customers found', { exact: true })).toBeVisible();
  await searchField(page, 'Name').fill('jane');
  await search(page);
  await expect(page.getByText('1 customer found', { exact: true })).toBeVisible();
  await expect(found(page, jane.name)).toBeVisible();
  await expect(found(page, john.name)).toHaveCount(0);
  expect(calls.map((call) => call.postDataJSON())).toEqual([{ city }, { name: 'jane', city }]);
});

test('the result shows customer, contact, address and created, and View opens the customer', async ({
  staffPage: page,
  api,
}) => {
  const customer = await api.makeCustomer({
    phone_number: '+1 555 0100',
    street_line: '1 Main Street',
    city: 'Halifax',
    province: 'Nova Scotia',
    country: 'Canada',
  });
  await page.goto(`/customers?email=${customer.email}`);
  await expect(page.getByRole('columnheader')).toHaveText([
    'Customer',
    'Contact',
    'Address',
    'Created',
    'Actions',
  ]);
  const cells = page.getByRole('row').filter({ hasText: customer.name }).getByRole('cell');
  await expect(cells.nth(0)).toContainText(customer.name);
  await expect(cells.nth(1)).toContainText(customer.email ?? '');
  await expect(cells.nth(1)).toContainText('+1 555 0100');
  await expect(cells.nth(2)).toContainText('1 Main Street, Halifax, Nova Scotia, Canada');
  await expect(cells.nth(3).getByRole('time')).toHaveAttribute('datetime', customer.created_at);
  await cells
    .nth(4)
    .getByRole('link', { name: `View ${customer.name}` })
    .click();
  await expect(page).toHaveURL(`/customers/${customer.id}`);
});

test('a search that finds nobody says so', async ({ staffPage: page }) => {
  await page.goto('/customers');
  await searchField(page, 'Name').fill(unique('Nobody'));
  await search(page);
  await expect(
    page.getByRole('status').getByText('No customers found matching your search criteria.', { exact: true }),
  ).toBeVisible();
});

test('street line needs two characters', async ({ staffPage: page, api }) => {
  const tooShort = 'Please enter at least 2 characters for street line';
  const { name } = await api.makeCustomer({ street_line: unique('Qx') });
  const calls = recordCalls(page, ...searchCall);
  await page.goto('/customers');
  const street = searchField(page, 'Street line');
  await street.fill(' Q ');
  await search(page);
  await expect(street).toHaveAccessibleDescription(tooShort);
  await expect(street).toBeFocused();
  await expectNoSearch(page);
  await page.goto('/customers?street_line=Q');
  await expect(street).toHaveAccessibleDescription(tooShort);
  await expectNoSearch(page);
  expect(calls).toHaveLength(0);
  await street.fill('Qx');
  await search(page);
  await expect(found(page, name)).toBeVisible();
  await expect(page.getByText(tooShort)).toHaveCount(0);
});

test('Reset clears the form, the filters and the address', async ({ staffPage: page, api }) => {
  const { name } = await api.makeCustomer();
  await page.goto(`/customers?name=${encodeURIComponent(name)}`);
  await expect(found(page, name)).toBeVisible();
  await searchField(page, 'City').fill('not submitted yet');
  await reset(page);
  for (const label of searchLabels) await expect(searchField(page, label)).toHaveValue('');
  await expectNoSearch(page);
  await expect(page).toHaveURL('/customers');
});

test('the search lives in the address: Back, reload and a shared link repeat it', async ({
  staffPage: page,
  adminPage,
  api,
}) => {
  const [first, second] = [await api.makeCustomer(), await api.makeCustomer({ name: 'A & B = 100% + more' })];
  await page.goto('/customers');
  await searchField(page, 'Name').fill(first.name);
  await search(page);
  await expect(found(page, first.name)).toBeVisible();
  await searchField(page, 'Name').fill(second.name);
  await search(page);
  await expect(found(page, second.name).first()).toBeVisible();
  await page.reload();
  await expect(found(page, second.name).first()).toBeVisible();
  await expect(searchField(page, 'Name')).toHaveValue(second.name);
  await adminPage.goto(page.url());
  await expect(found(adminPage, second.name).first()).toBeVisible();
  await expect(searchField(adminPage, 'Name')).toHaveValue(second.name);
  await page.goBack();
  await expect(found(page, first.name)).toBeVisible();
  await expect(searchField(page, 'Name')).toHaveValue(first.name);
  await page.goBack();
  await expectNoSearch(page);
  await expect(searchField(page, 'Name')).toHaveValue('');
});

test('a search with more than 500 matches shows the first part, and more of them', async ({
  staffPage: page,
  api,
}) => {
  const city = unique('Crowded');
  const nameOf = (number: number) => `Citizen ${String(number).padStart(3, '0')}`;
  await repeat(560, (number) => api.makeCustomer({ name: nameOf(number), city }));
  await page.goto(`/customers?city=${encodeURIComponent(city)}`);
  await expect(page.getByRole('status').filter({ hasText: 'Showing' })).toHaveText(
    'Showing the first 500 of 560 customers. Add another field to narrow the search.',
  );
  await expect(page.getByText('Page 1 of 10', { exact: true })).toBeVisible();
  const names = () =>
    page
      .locator('tbody')
      .getByRole('row')
      .getByRole('link', { name: /^Citizen/ });
  const expectNames = async (from: number, to: number) =>
    expect(names()).toHaveText(Array.from({ length: to - from + 1 }, (_, index) => nameOf(from + index)));
  await expectNames(1, 50);
  const more = page.getByRole('button', { name: 'Show more' });
  await more.click();
  await expect(page.getByText('560 customers found', { exact: true })).toBeVisible();
  await expectNames(501, 550);
  await expect(page.getByText('Page 11 of 12', { exact: true })).toBeVisible();
  await expect(more).toBeDisabled();
  await page.getByRole('button', { name: 'Next' }).click();
  await expectNames(551, 560);
  // The address leads there too, and back to what was shown before.
  await page.reload();
  await expectNames(551, 560);
  await page.goto(`/customers?city=${encodeURIComponent(city)}&page=99`);
  await expect(page.getByText('Page 12 of 12', { exact: true })).toBeVisible();
  await expectNames(551, 560);
  await page.goto(`/customers?city=${encodeURIComponent(city)}&page=10`);
  await expectNames(451, 500);
});

test('a server that returns all matches at once is supported', async ({ staffPage: page, api }) => {
  const customer = await api.makeCustomer();
  const customers = Array.from({ length: 620 }, (_, index) => ({ ...customer, id: 1_000_000 + index }));
  await answerCalls(page, ...searchCall, { status: 200, body: { customers, count: 620 } });
  await page.goto('/customers?country=Everywhere&page=13');
  await expect(page.getByText('620 customers found', { exact: true })).toBeVisible();
  await expect(page.getByText('Page 13 of 13', { exact: true })).toBeVisible();
  await expect(page.locator('tbody').getByRole('row')).toHaveCount(20);
});

test('where the count stops, the screen says that there are more', async ({ staffPage: page, api }) => {
  const customer = await api.makeCustomer();
  await answerCalls(page, ...searchCall, {
    status: 200,
    body: { customers: [customer], count: 10_000, count_is_capped: true },
  });
  await page.goto('/customers?country=Everywhere');
  await expect(page.getByRole('status').filter({ hasText: 'Showing' })).toHaveText(
    'Showing the first 1 of more than 10,000 customers. Add another field to narrow the search.',
  );
});

test('a failed search is retried once, then shows an error and a retry', async ({
  staffPage: page,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const { name } = await api.makeCustomer();
  const calls = recordCalls(page, ...searchCall);
  const { restore } = await answerCalls(page, ...searchCall, failure);
  await page.goto(`/customers?name=${encodeURIComponent(name)}`);
  const alert = page.getByRole('alert');
  await expect(alert.getByText('Error loading customers. Please try again.', { exact: true })).toBeVisible();
  expect(calls).toHaveLength(2);
  await restore();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(found(page, name)).toBeVisible();
});

test('searching for the same again asks the server again', async ({ staffPage: page, api }) => {
  const city = unique('Growing');
  await api.makeCustomer({ city });
  await page.goto(`/customers?city=${encodeURIComponent(city)}`);
  await expect(page.getByText('1 customer found')).toBeVisible();
  await api.makeCustomer({ city });
  await search(page);
  await expect(page.getByText('2 customers found')).toBeVisible();
});

test('only admins are offered Add Customer', async ({ adminPage, staffPage }) => {
  await staffPage.goto('/customers');
  await expectNoSearch(staffPage);
  await expect(staffPage.getByRole('link', { name: 'Add Customer' })).toHaveCount(0);
  await adminPage.goto('/customers');
  await adminPage.getByRole('link', { name: 'Add Customer' }).click();
  await expect(adminPage).toHaveURL('/customers/new');
});

test('the keyboard alone leads through a search to the customer', async ({ staffPage: page, api }) => {
  const { name } = await api.makeCustomer();
  await page.goto('/customers');
  await expectNoSearch(page);
  await expect(searchField(page, 'Name')).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('link', { name: `View ${name}` }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
});

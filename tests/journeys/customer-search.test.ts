import { unique, uniqueEmail } from './support/api.ts';
import { answerCalls, recordCalls } from './support/calls.ts';
import { expectNoSearch, found, search, searchField, searchLabels } from './support/customer-search.ts';
import { tabTo } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

const searchCall = ['POST', '/api/customers/search'] as const;

test('a search sends the filled fields, trimmed; Reset clears all', async ({ staffPage: page, api }) => {
  const values = {
    name: unique('Zoë Ångström'),
    email: uniqueEmail('zoe'),
    phone_number: '+49 (30) 901820-77',
    street_line: 'Lange Straße 5',
    city: unique('Kötzschenbroda'),
    province: 'Sachsen',
    country: 'Deutschland',
  };
  const customer = await api.makeCustomer(values);
  const other = await api.makeCustomer({ city: values.city });
  const calls = recordCalls(page, ...searchCall);
  await page.goto('/customers');
  await expect(searchField(page, 'Name')).toBeFocused();
  for (const label of searchLabels) await expect(searchField(page, label)).toHaveValue('');
  await expectNoSearch(page);
  await search(page);
  await searchField(page, 'Country').fill('   ');
  await search(page);
  const street = searchField(page, 'Street line');
  await street.fill(' Q ');
  await search(page);
  const tooShort = 'Please enter at least 2 characters for street line';
  await expect(street).toHaveAccessibleDescription(tooShort);
  await expect(street).toBeFocused();
  await page.goto('/customers?street_line=Q');
  await expect(street).toHaveAccessibleDescription(tooShort);
  await expectNoSearch(page);
  await street.fill('');
  await searchField(page, 'City').fill(`  ${values.city} `);
  await expectNoSearch(page);
  expect(calls).toHaveLength(0);
  await search(page);
  await expect(page.getByText('2 customers found', { exact: true })).toBeVisible();
  await expect(found(page, other.name)).toBeVisible();
  for (const [index, label] of searchLabels.entries()) {
    await searchField(page, label).fill(Object.values(values)[index] ?? '');
  }
  await search(page);
  await expect(page.getByText('1 customer found', { exact: true })).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText([
    'Customer',
    'Contact',
    'Address',
    'Created',
    'Actions',
  ]);
  const cells = page.getByRole('row').filter({ hasText: customer.name }).getByRole('cell');
  await expect(cells.nth(1)).toContainText(values.email);
  await expect(cells.nth(1)).toContainText(values.phone_number);
  await expect(cells.nth(2)).toContainText(`Lange Straße 5, ${values.city}, Sachsen, Deutschland`);
  await expect(cells.nth(3).getByRole('time')).toHaveAttribute('datetime', customer.created_at);
  await expect(cells.nth(4).getByRole('link', { name: `View ${customer.name}` })).toBeVisible();
  expect(calls.map((call) => call.postDataJSON())).toEqual([{ city: values.city }, values]);

  await searchField(page, 'Name').fill(unique('Missing'));
  await search(page);
  const nothing = 'No customers found matching your search criteria.';
  await expect(page.getByRole('status').getByText(nothing, { exact: true })).toBeVisible();
  await page.getByRole('search').getByRole('button', { name: 'Reset' }).click();
  for (const label of searchLabels) await expect(searchField(page, label)).toHaveValue('');
  await expectNoSearch(page);
  await expect(page).toHaveURL('/customers');
});

test('Back, a reload and a shared link repeat a search', async ({ staffPage: page, adminPage, api }) => {
  const [first, second] = [await api.makeCustomer(), await api.makeCustomer({ name: 'A & B = 100% + more' })];
  await page.goto('/customers');
  for (const { name } of [first, second]) {
    await searchField(page, 'Name').fill(name);
    await search(page);
    await expect(found(page, name).first()).toBeVisible();
  }
  await page.reload();
  await adminPage.goto(page.url());
  for (const by of [page, adminPage]) {
    await expect(found(by, second.name).first()).toBeVisible();
    await expect(searchField(by, 'Name')).toHaveValue(second.name);
  }
  await page.goBack();
  await expect(found(page, first.name)).toBeVisible();
  await expect(searchField(page, 'Name')).toHaveValue(first.name);
  await page.goBack();
  await expectNoSearch(page);
});

test('of more than 500 matches a part is shown, then more', async ({ staffPage: page, api }) => {
  const nameOf = (number: number) => `Citizen ${String(number).padStart(3, '0')}`;
  const customer = await api.makeCustomer();
  const all = Array.from({ length: 510 }, (_, index) => ({
    ...customer,
    id: index,
    name: nameOf(index + 1),
  }));
  await page.route(
    ({ pathname }) => pathname === searchCall[1],
    (route) => {
      const { limit = 500, offset = 0 } = route.request().postDataJSON();
      return route.fulfill({ json: { customers: all.slice(offset, offset + limit), count: all.length } });
    },
  );
  await page.goto('/customers?city=Crowded&page=10');
  await expect(page.getByRole('status').filter({ hasText: 'Showing' })).toHaveText(
    'Showing the first 500 of 510 customers. Add another field to narrow the search.',
  );
  const names = page.locator('tbody').getByRole('link', { name: /^Citizen/ });
  const expectNames = async (from: number, to: number) =>
    expect(names).toHaveText(Array.from({ length: to - from + 1 }, (_, index) => nameOf(from + index)));
  await expectNames(451, 500);
  const more = page.getByRole('button', { name: 'Show more' });
  await more.click();
  await expect(page.getByText('510 customers found', { exact: true })).toBeVisible();
  await expect(page.getByText('Page 11 of 11', { exact: true })).toBeVisible();
  await expectNames(501, 510);
  await expect(more).toBeDisabled();
  await page.reload();
  await expectNames(501, 510);
});

test('a server may stop counting', async ({ staffPage: page, api }) => {
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

test('the keyboard alone leads through a search to the customer', async ({ staffPage: page, api }) => {
  const { name } = await api.makeCustomer();
  await page.goto('/customers');
  await expect(searchField(page, 'Name')).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('link', { name: `View ${name}` }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
});

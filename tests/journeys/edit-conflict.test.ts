import type { Page } from '@playwright/test';
import { type Api, send, unique } from './support/api.ts';
import { customerField, fillCustomer, saveButton } from './support/customer-form.ts';
import { expect, failedCall, test } from './support/test.ts';

const changeAsSomebodyElse = (api: Api, id: number, changes: Record<string, unknown>) =>
  send(api.url, 'PUT', `/api/customers/${id}`, api.token, changes);

const conflict = (page: Page) => page.getByRole('alert');

/** Opens the form, changes phone number and city, and saves after somebody else has changed city and country. */
async function runIntoConflict(page: Page, api: Api) {
  const customer = await api.makeCustomer({ name: unique('Busy'), city: 'Halifax', country: 'Canada' });
  await page.goto(`/customers/${customer.id}/edit`);
  await fillCustomer(page, { phone_number: '555 0199', city: 'Truro' });
  await changeAsSomebodyElse(api, customer.id, { city: 'Sydney', country: '' });
  await saveButton(page).click();
  await expect(conflict(page)).toContainText('Another user changed this customer');
  await expect(conflict(page).getByRole('row')).toHaveText([
    'FieldBeforeTheirsYours',
    'CityHalifaxSydneyTruro',
    'CountryCanada–The same',
  ]);
  await expect(conflict(page)).toBeFocused();
  await expect(customerField(page, 'phone_number')).toHaveValue('555 0199');
  await expect(customerField(page, 'city')).toHaveValue('Truro');
  return customer;
}

async function stored(api: Api, id: number) {
  const { phone_number, city, country } = (await send(api.url, 'GET', `/api/customers/${id}`, api.token)).body
    .customer;
  return { phone_number, city, country };
}

test.beforeEach(({ expectConsole }) => expectConsole(failedCall));

test('changes saved by somebody else are shown, and can be overwritten', async ({ adminPage: page, api }) => {
  const { id } = await runIntoConflict(page, api);
  expect(await stored(api, id)).toMatchObject({ city: 'Sydney', country: null });
  // Somebody else saves first again.
  await changeAsSomebodyElse(api, id, { city: 'Amherst' });
  await conflict(page).getByRole('button', { name: 'Save on top' }).click();
  await expect(conflict(page).getByRole('row').nth(1)).toHaveText('CitySydneyAmherstTruro');
  await expect(conflict(page)).toBeFocused();
  await conflict(page).getByRole('button', { name: 'Save on top' }).click();
  await expect(page).toHaveURL(`/customers/${id}`);
  expect(await stored(api, id)).toEqual({ phone_number: '555 0199', city: 'Truro', country: null });
});

test('changes saved by somebody else can be accepted, keeping the other input', async ({
  adminPage: page,
  api,
}) => {
  const { id } = await runIntoConflict(page, api);
  await conflict(page).getByRole('button', { name: 'Take theirs' }).click();
  await expect(conflict(page)).toHaveCount(0);
  await expect(customerField(page, 'city')).toHaveValue('Sydney');
  await expect(customerField(page, 'phone_number')).toHaveValue('555 0199');
  await saveButton(page).click();
  await expect(page).toHaveURL(`/customers/${id}`);
  expect(await stored(api, id)).toEqual({ phone_number: '555 0199', city: 'Sydney', country: null });
});

import type { Page } from '@playwright/test';
import { unique } from './support/api.ts';
import { customerField, fillCustomer, saveButton } from './support/customer-form.ts';
import { expect, test } from './support/test.ts';

test.use({ callsMayFail: true });

const conflict = (page: Page) => page.getByRole('alert');

test('what a colleague saved meanwhile is taken or overwritten', async ({ adminPage: page, api }) => {
  const { id } = await api.makeCustomer({ name: unique('Busy'), city: 'Halifax', country: 'Canada' });
  const changeAsColleague = (changes: object) => api.put(`/api/customers/${id}`, { ...changes });
  await page.goto(`/customers/${id}/edit`);
  await fillCustomer(page, { phone_number: '555 0199', city: 'Truro' });
  await changeAsColleague({ city: 'Sydney', country: '' });
  await saveButton(page).click();
  await expect(conflict(page)).toContainText('Another user changed this customer');
  await expect(conflict(page).getByRole('row')).toHaveText([
    'FieldBeforeTheirsYours',
    'CityHalifaxSydneyTruro',
    'CountryCanada–The same',
  ]);
  await expect(conflict(page)).toBeFocused();
  await expect(customerField(page, 'city')).toHaveValue('Truro');
  await conflict(page).getByRole('button', { name: 'Take theirs' }).click();
  await expect(conflict(page)).toHaveCount(0);
  await expect(customerField(page, 'city')).toHaveValue('Sydney');
  await expect(customerField(page, 'phone_number')).toHaveValue('555 0199');

  await fillCustomer(page, { city: 'Truro' });
  for (const [before, theirs] of [
    ['Sydney', 'Amherst'],
    ['Amherst', 'Digby'],
  ] as const) {
    await changeAsColleague({ city: theirs });
    await (before === 'Sydney'
      ? saveButton(page)
      : conflict(page).getByRole('button', { name: 'Save on top' })
    ).click();
    await expect(conflict(page).getByRole('row').nth(1)).toHaveText(`City${before}${theirs}Truro`);
    await expect(conflict(page)).toBeFocused();
  }
  await conflict(page).getByRole('button', { name: 'Save on top' }).click();
  await expect(page).toHaveURL(`/customers/${id}`);
  await expect(page.getByText('Truro', { exact: true })).toBeVisible();
  await expect(page.getByText('555 0199', { exact: true })).toBeVisible();
  await expect(page.getByText('Canada', { exact: true })).toHaveCount(0);
});

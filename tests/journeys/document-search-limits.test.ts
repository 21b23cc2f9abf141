import { unique } from './support/api.ts';
import { recordCalls } from './support/calls.ts';
import { testOnPreparedServer } from './support/prepared-server.ts';
import { repeat } from './support/repeat.ts';
import { expect } from './support/test.ts';

const dayMs = 24 * 60 * 60 * 1000;
const hourInBerlin = Number(
  new Intl.DateTimeFormat('en-GB', { hour: 'numeric', timeZone: 'Europe/Berlin' }).format(),
);
/** A time zone with another date than the browser's, whenever this runs. */
const distantZone = hourInBerlin >= 13 ? 'Pacific/Kiritimati' : 'Etc/GMT+12';
/** As in the value of a date field. */
const dayIn = (timeZone: string, time: number) => new Date(time).toLocaleDateString('sv-SE', { timeZone });

const test = testOnPreparedServer(async () => {}, { TIME_ZONE: distantZone });

test("dates are calendar days in the server's time zone, both ends included", async ({ staffPage, api }) => {
  const { filename, uploaded_at } = await api.makeDocument((await api.makeCustomer()).id);
  const uploadedAt = Date.parse(uploaded_at);
  const [yesterday = '', today = '', tomorrow = ''] = [-dayMs, 0, dayMs].map((ms) =>
    dayIn(distantZone, uploadedAt + ms),
  );
  const inTheBrowser = dayIn('Europe/Berlin', uploadedAt);
  expect(today).not.toBe(inTheBrowser);
  await staffPage.goto('/documents');
  for (const { from, to, isFound } of [
    { from: today, to: today, isFound: true },
    { from: inTheBrowser, to: inTheBrowser, isFound: false },
    { from: today, to: '', isFound: true },
    { from: tomorrow, to: '', isFound: false },
    { from: '', to: today, isFound: true },
    { from: '', to: yesterday, isFound: false },
    { from: yesterday, to: tomorrow, isFound: true },
  ]) {
    await staffPage.getByLabel('Date from').fill(from);
    await staffPage.getByLabel('Date to').fill(to);
    await staffPage.getByRole('button', { name: 'Search', exact: true }).click();
    const link = staffPage.getByRole('link', { name: filename, exact: true });
    const nothing = staffPage.getByText('No documents found matching your search criteria.', { exact: true });
    await expect(isFound ? link : nothing, `from ${from} to ${to}`).toBeVisible();
  }
});

test('a start date after the end date is refused at its field', async ({ staffPage }) => {
  await staffPage.goto('/documents');
  await staffPage.getByLabel('Date from').fill('2026-03-02');
  await staffPage.getByLabel('Date to').fill('2026-03-01');
  await staffPage.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(staffPage.getByText('Date from must not be after date to', { exact: true })).toBeVisible();
  await expect(staffPage.getByLabel('Date from')).toBeFocused();
});

test('a half-typed date is refused at its field, and Reset clears it', async ({ staffPage: page }) => {
  const calls = recordCalls(page, 'POST', '/api/documents/search');
  await page.goto('/documents');
  await page.getByLabel('Filename').fill('paper');
  await page.getByLabel('Date to').focus();
  await page.keyboard.type('12');
  const search = page.getByRole('button', { name: 'Search', exact: true });
  await search.click();
  await expect(page.getByLabel('Date to')).toHaveAccessibleDescription(
    'Date to must be a date like 2026-01-31',
  );
  await expect(page.getByLabel('Date to')).toBeFocused();
  expect(calls).toHaveLength(0);
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.getByLabel('Filename').fill('paper');
  await search.click();
  await expect(page).toHaveURL('/documents?filename=paper');
});

test('a search that shows only a part says so, and shows more', async ({ staffPage, api }) => {
  test.slow();
  const customer = await api.makeCustomer();
  const mark = unique('part');
  await repeat(501, (number) => api.makeDocument(customer.id, { filename: `${mark} ${number}.txt` }));
  await staffPage.goto(`/documents?filename=${encodeURIComponent(mark)}`);
  const part = 'Showing the first 500 of 501 documents. Add another field to narrow the search.';
  await expect(staffPage.getByText(part, { exact: true })).toBeVisible();
  await expect(staffPage.getByText('Page 1 of 10', { exact: true })).toBeVisible();
  await staffPage.getByRole('button', { name: 'Show more' }).click();
  await expect(staffPage.getByText('501 documents found', { exact: true })).toBeVisible();
  await expect(staffPage.getByText('Page 11 of 11', { exact: true })).toBeVisible();
  await expect(staffPage.locator('tbody').getByRole('row')).toHaveText([new RegExp(mark)]);
});

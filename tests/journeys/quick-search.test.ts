import type { Page, Request } from '@playwright/test';
import { unique, uniqueEmail } from './support/api.ts';
import { answerCalls, failure, holdCalls, recordCalls } from './support/calls.ts';
import { expectScreen } from './support/screens.ts';
import { expect, test } from './support/test.ts';

test.use({ callsMayFail: true });

const box = (page: Page) => page.getByRole('combobox', { name: 'Quick search' });

async function open(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await expectScreen(page, 'Dashboard');
  await page.keyboard.press('Control+k');
  await expect(box(page)).toBeFocused();
}

/** Highlighted, also for screen readers. */
async function expectChosen(page: Page, name: string): Promise<void> {
  const option = page.getByRole('option', { name });
  await expect(option).toHaveAttribute('aria-selected', 'true');
  await expect(box(page)).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '');
}

test('Ctrl K finds customers by email and phone number, documents and screens', async ({
  staffPage: page,
  api,
}) => {
  const digits = String(Date.now()).slice(-9);
  const customer = await api.makeCustomer({ email: uniqueEmail('quick'), phone_number: `+49 ${digits}` });
  const word = unique('ledger').replace(' ', '-');
  const { id } = await api.makeCustomer();
  const older = await api.makeDocument(id, { filename: `${word} a.txt` });
  await api.makeDocument(id, { filename: `${word} b.txt` });
  await open(page);
  for (const term of [customer.email ?? '', digits]) {
    await box(page).fill(term);
    await expectChosen(page, customer.name);
    await box(page).fill('');
    await expect(page.getByRole('option', { name: customer.name })).toHaveCount(0);
  }
  await page.keyboard.type(word);
  await expect(page.getByRole('option')).toHaveText([/ b\.txt/, / a\.txt/, 'Show all results']);
  await expect(page.getByRole('status').filter({ hasText: 'results' })).toHaveText('2 results');
  await page.keyboard.press('ArrowDown');
  await expectChosen(page, older.filename);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/documents/${older.id}`);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('change pass');
  await page.getByRole('option', { name: 'Change password' }).click();
  await expect(page).toHaveURL('/change-password');
});

test('quick typing is searched for once; outdated requests end', async ({ staffPage: page, api }) => {
  const first = unique('Albrecht');
  const customer = await api.makeCustomer({ name: `${first} Senior` });
  await api.makeCustomer({ name: `${first} Junior` });
  await open(page);
  const held = await holdCalls(page, '/api/search');
  const calls = recordCalls(page, 'GET', '/api/search');
  const termOf = (call: Request) => new URL(call.url()).searchParams.get('q');
  // A slow machine must make no difference between typing quickly and slowly.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const sent: string[] = [];
  for (const [typed, term] of [
    [first, first],
    [' Senior', customer.name],
  ] as const) {
    await page.keyboard.type(typed);
    await page.clock.runFor(1_000);
    sent.push(term);
    await expect.poll(() => calls.map(termOf)).toEqual(sent);
  }
  await expect.poll(() => calls.filter((call) => call.failure()).map(termOf)).toEqual([first]);
  await page.clock.resume();
  held.release();
  await expectChosen(page, customer.name);
  await expect(page.getByRole('option')).toHaveText([new RegExp(customer.name), 'Show all results']);
});

test('Enter waits for the results of what is typed', async ({ staffPage: page, api }) => {
  const name = unique('Berit');
  const older = await api.makeCustomer({ name: `${name} Aa` });
  const newer = await api.makeCustomer({ name: `${name} Bb` });
  await open(page);
  await page.keyboard.type(name);
  await expectChosen(page, older.name);
  const { release } = await holdCalls(page, '/api/search');
  await page.keyboard.type(' Bb');
  await expect(page.getByText('Searching...', { exact: true })).toBeVisible();
  await expect(page.getByRole('option')).toHaveText(['Show all results']);
  await page.keyboard.press('Enter');
  await expect(box(page)).toBeVisible();
  release();
  await expect(page).toHaveURL(`/customers/${newer.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('Escape and Ctrl K close it, and the focus returns', async ({ staffPage: page }) => {
  await open(page);
  await page.keyboard.press('Escape');
  await expect(box(page)).toHaveCount(0);
  const link = page.getByRole('link', { name: 'View All Customers' });
  await link.focus();
  await page.keyboard.press('Control+k');
  await expect(box(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(link).toBeFocused();

  await page.setViewportSize({ width: 390, height: 844 });
  const button = page.getByRole('button', { name: 'Quick search' });
  await button.click();
  await expect(box(page)).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(box(page)).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('it does not open over a dialog', async ({ adminPage: page, api }) => {
  const document = await api.makeDocument((await api.makeCustomer()).id);
  await page.goto(`/documents/${document.id}`);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const cancel = page.getByRole('dialog').getByRole('button', { name: 'Cancel' });
  await expect(cancel).toBeFocused();
  await page.keyboard.press('Control+k');
  await cancel.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(box(page)).toBeFocused();
});

test('it says when it finds nothing, and when it failed', async ({ staffPage: page }) => {
  await open(page);
  await box(page).fill('no-such-name');
  await expect(page.getByText('Nothing found', { exact: true })).toBeVisible();
  await expect(page.getByRole('option', { name: 'Show all results' })).toHaveAttribute(
    'aria-selected',
    'false',
  );
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard');
  await answerCalls(page, 'GET', '/api/search', failure);
  await box(page).fill('no-other-name');
  await expect(page.getByText('The search failed. Please try again.', { exact: true })).toBeVisible();
});

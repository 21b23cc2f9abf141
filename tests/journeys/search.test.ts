import type { SearchResponse } from '@customer-database/contract/search';
import { pdfOf, textPage } from '@customer-database/testkit/pdf-builder';
import type { Page } from '@playwright/test';
import { type Api, makePdf, unique } from './support/api.ts';
import { holdCalls, recordCalls } from './support/calls.ts';
import { tabTo } from './support/keyboard.ts';
import { repeat } from './support/repeat.ts';
import { expectScreen } from './support/screens.ts';
import { kept, signInAs } from './support/session.ts';
import { expect, test } from './support/test.ts';

test.use({ callsMayFail: true });

const box = (page: Page) => page.getByRole('searchbox', { name: 'Search' });
const quickBox = (page: Page) => page.getByRole('combobox', { name: 'Quick search' });
const group = (page: Page, name: string) => page.getByRole('region', { name });

/** One word that no other test uses. */
const uniqueWord = (text: string) => unique(text).replace(' ', '');

async function open(page: Page, query = ''): Promise<void> {
  await page.goto(`/search${query}`);
  await expectScreen(page, 'Search');
}

/** A document whose word is only in its text. */
async function makeReadDocument(api: Api, filename: string, content: Buffer) {
  const customer = await api.makeCustomer();
  const document = await api.makeDocument(customer.id, { filename, content });
  await api.waitForText(document.id);
  return { customer, document };
}

test('the keyboard alone leads to a page with hits, by Ctrl K or the screen', async ({
  staffPage: page,
  api,
}) => {
  const word = uniqueWord('wisteria');
  const filename = `${unique('lease')}.pdf`;
  const { customer, document } = await makeReadDocument(
    api,
    filename,
    makePdf(`The ${word} climbs the wall`),
  );
  const isDocument = ({ pathname }: URL) => pathname === `/documents/${document.id}`;
  await page.goto('/dashboard');
  await expectScreen(page, 'Dashboard');
  await page.keyboard.press('Control+k');
  await expect(quickBox(page)).toBeFocused();
  await page.keyboard.type(word.toUpperCase());
  const option = page.getByRole('group', { name: 'Inside documents' }).getByRole('option');
  await expect(option).toHaveText(`${filename}${customer.name} · Page 1 · The ${word} climbs the wall`);
  await expect(option.locator('mark')).toHaveText(word);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/documents/${document.id}?page=1&q=${word.toUpperCase()}`);

  await page.goto('/dashboard');
  await expectScreen(page, 'Dashboard');
  await tabTo(page, page.getByRole('link', { name: 'Search', exact: true }));
  await page.keyboard.press('Enter');
  await expect(box(page)).toBeFocused();
  await page.keyboard.type(`wall ${word.slice(0, -2)}`);
  await page.keyboard.press('Enter');
  const inside = group(page, 'Inside documents (1)');
  await expect(inside.locator('mark')).toHaveText([word, 'wall']);
  await expect(group(page, 'Customers')).toHaveCount(0);
  await tabTo(page, inside.getByRole('link', { name: `${filename} Page 1` }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(isDocument);
  await page.goBack();
  await inside.getByText('climbs the').click();
  await expect(page).toHaveURL(isDocument);
});

test('groups, filters and pages are in the address', async ({ staffPage: page, api }) => {
  const word = uniqueWord('Orchard');
  const customer = await api.makeCustomer({ name: `${word} Ltd`, city: 'Ystad' });
  const description = `Long ago. ${'More words. '.repeat(30)}The ${word} is here.`;
  await repeat(20, (number) =>
    api.makeDocument(customer.id, { filename: `${word} ${number}.txt`, description }),
  );
  await api.makeDocument(customer.id, { filename: `${word}.pdf`, content: makePdf('A plan') });
  await page.goto('/dashboard');
  await expectScreen(page, 'Dashboard');
  await page.keyboard.press('Control+k');
  await quickBox(page).fill(word.toLowerCase());
  await expect(page.getByRole('dialog').getByText('22 results', { exact: true })).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/search?q=${word.toLowerCase()}`);
  const customers = group(page, 'Customers (1)');
  await expect(customers.getByRole('listitem')).toHaveText(`${word} Ltd${customer.email}Ystad`);
  await expect(customers.locator('mark')).toHaveText(word);
  await expect(page.getByRole('status').filter({ hasText: '22 results' })).toBeVisible();
  const documents = group(page, 'Documents (21)');
  await expect(documents.getByRole('listitem')).toHaveCount(5);
  await expect(documents.getByText(/^… .*More words\. The Orchard\w+ is here\.$/).first()).toBeVisible();

  await documents.getByRole('link', { name: 'Show all 21' }).click();
  await expect(page).toHaveURL(`/search?q=${word.toLowerCase()}&in=documents`);
  await expect(documents.getByRole('listitem')).toHaveCount(20);
  await expect(documents.getByRole('heading')).toBeFocused();
  await expect(customers).toHaveCount(0);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Page 2 of 2', { exact: true })).toBeVisible();
  await expect(documents.getByRole('listitem')).toHaveCount(1);

  await page.getByLabel('Type').selectOption('PDF');
  await expect(page).toHaveURL(`/search?q=${word.toLowerCase()}&in=documents&type=pdf`);
  await expect(group(page, 'Documents (1)').getByRole('link', { name: `${word}.pdf` })).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill('2020-12-31');
  await expect(page.getByText('Nothing found', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2020-12-31');
  await expect(page.getByLabel('In', { exact: true })).toHaveValue('documents');
  for (const count of [1, 21, 21]) {
    await page.goBack();
    await expect(group(page, `Documents (${count})`)).toBeVisible();
  }
  await page.goBack();
  await expect(customers).toBeVisible();
  await expect(page.getByLabel('In', { exact: true })).toHaveValue('');
});

test('a document is listed once, with the other pages that match on request', async ({
  staffPage: page,
  api,
}) => {
  const word = uniqueWord('juniper');
  const filename = `${unique('plan')}.pdf`;
  const pages = [`A ${word} hedge`, 'A pond', `Another ${word}`, `The last ${word}`].map((line) =>
    textPage(line),
  );
  const { document } = await makeReadDocument(api, filename, pdfOf(pages));
  await open(page, `?q=${word}`);
  const inside = group(page, 'Inside documents (1)');
  await expect(inside.getByRole('link', { name: `${filename} Page 1` })).toBeVisible();
  await inside.getByRole('button', { name: '+ 2 more pages' }).click();
  await expect(inside.getByRole('listitem').filter({ hasText: /^Page/ })).toHaveText([
    `Page 3Another ${word}`,
    `Page 4The last ${word}`,
  ]);
  await expect(page).toHaveURL(`/search?q=${word}`);
  await inside.getByText('The last').click();
  await expect(page).toHaveURL(`/documents/${document.id}?page=4&q=${word}`);
});

test('words to exclude alone are refused, with what to do', async ({ staffPage: page }) => {
  const advice = 'Enter at least one word to look for, besides those to exclude';
  await open(page, '?q=-invoice');
  await expect(box(page)).toHaveAccessibleDescription(advice);
  await page.keyboard.press('Control+k');
  await quickBox(page).fill('-invoice');
  await expect(page.getByRole('dialog').getByText(advice)).toBeVisible();
});

test("a customer's page leads to a search in its documents", async ({ staffPage: page, api }) => {
  const word = uniqueWord('meadow');
  const [first, second] = [await api.makeCustomer(), await api.makeCustomer()];
  for (const { id } of [first, second]) await api.makeDocument(id, { filename: `${word} ${id}.txt` });
  await page.goto(`/customers/${first.id}`);
  await page.getByRole('link', { name: 'Search in these documents' }).click();
  await expect(box(page)).toBeFocused();
  await page.keyboard.type(word);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/search?q=${word}&customer_id=${first.id}`);
  await expect(group(page, 'Documents (1)').getByRole('link', { name: first.name })).toBeVisible();
  await page.getByRole('button', { name: `Remove ${first.name}` }).click();
  await expect(page).toHaveURL(`/search?q=${word}`);
  await expect(group(page, 'Documents (2)')).toBeVisible();
});

test('dates that cannot be searched for are refused at their field', async ({ staffPage: page }) => {
  const searches = recordCalls(page, 'GET', '/api/search');
  await open(page, '?to=2026-03-01');
  await page.getByLabel('From', { exact: true }).fill('2026-03-02');
  await expect(page.getByLabel('From', { exact: true })).toHaveAccessibleDescription(
    'From must not be after to',
  );
  await expect(page).toHaveURL('/search?to=2026-03-01');
  await page.getByLabel('To', { exact: true }).fill('2026-03-03');
  await expect(page).toHaveURL('/search?from=2026-03-02&to=2026-03-03');
  await page.getByLabel('From', { exact: true }).fill('');
  await expect(page).toHaveURL('/search?to=2026-03-03');
  await page.getByLabel('From', { exact: true }).focus();
  await page.keyboard.type('12');
  await box(page).fill('paper');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('From', { exact: true })).toHaveAccessibleDescription(
    'From must be a date like 2026-01-31',
  );
  expect(searches).toHaveLength(0);
});

test('old results stay until the next ones, or none, are there', async ({ staffPage: page, api }) => {
  const [first, second] = [uniqueWord('Alder'), uniqueWord('Birch')];
  for (const name of [first, second]) await api.makeCustomer({ name });
  await open(page, `?q=${first}`);
  await expect(page.getByRole('link', { name: first })).toBeVisible();
  const { release } = await holdCalls(page, '/api/search');
  await box(page).fill(second);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Searching…', { exact: true })).toBeVisible();
  const stale = page.getByRole('main').locator('[aria-busy=true]');
  await expect(stale.getByRole('link', { name: first })).toBeVisible();
  release();
  await expect(page.getByRole('link', { name: second })).toBeVisible();
  await expect(page.getByRole('link', { name: first })).toHaveCount(0);
  await box(page).fill('no-such-name');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Nothing found', { exact: true })).toBeVisible();
});

test('a mistyped word finds what was meant, and says so', async ({ staffPage: page, api }) => {
  // Letters only: numbers are not corrected.
  const word = uniqueWord('contract').replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
  const typed = word.replace('tra', 'tar');
  await makeReadDocument(api, 'plain.txt', Buffer.from(`A ${word} of work`));
  const correctedBy = async () => (await api.get<SearchResponse>(`/api/search?q=${typed}`)).corrected;
  await expect.poll(correctedBy).toBe(word);
  await open(page, `?q=${typed}`);
  const status = page.getByRole('status').filter({ hasText: `Showing results for ${word}` });
  await expect(status).toContainText(`Nothing was found for ${typed}`);
  await expect(page.getByRole('main').locator('mark')).toHaveText(word);
  await page.keyboard.press('Control+k');
  await quickBox(page).fill(typed);
  await expect(page.getByRole('dialog').getByText(`Showing results for ${word}`)).toBeVisible();
  await expect(page.getByRole('option', { name: 'plain.txt' }).locator('mark')).toHaveText(word);
});

test.describe(() => {
  test.use({ ownAccounts: true });

  test('Ctrl K offers what was opened last', async ({ staffPage: page, staff, admin, api }) => {
    const customer = await api.makeCustomer();
    const gone = await api.makeCustomer();
    const document = await api.makeDocument(customer.id);
    const opened = page.getByRole('group', { name: 'Opened last' }).getByRole('option');
    await page.goto(`/customers/${gone.id}`);
    await expectScreen(page, gone.name);
    for (const path of [`/customers/${customer.id}`, `/documents/${document.id}`]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^(Customer|notes) \w{8}/);
    }
    await api.delete(`/api/customers/${gone.id}`);
    await page.keyboard.press('Control+k');
    await expect(quickBox(page)).toBeFocused();
    await expect(opened).toHaveText([document.filename + customer.name, customer.name + customer.email]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expectScreen(page, customer.name);
    const stored = async () => (await kept(page)).local.opened_last;
    expect(JSON.parse((await stored()) ?? '')).toEqual({
      user: staff.user.id,
      records: [
        { kind: 'customer', id: customer.id },
        { kind: 'document', id: document.id },
      ],
    });

    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page).toHaveURL('/login');
    expect(await stored()).toBeUndefined();
    await signInAs(page, admin);
    await expectScreen(page, 'Dashboard');
    await page.keyboard.press('Control+k');
    await expect(quickBox(page)).toBeFocused();
    await expect(page.getByRole('option', { name: 'Dashboard' })).toBeVisible();
    await expect(opened).toHaveCount(0);
  });
});

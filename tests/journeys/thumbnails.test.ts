import type { Document } from '@customer-database/contract/documents';
import { samples } from '@customer-database/testkit/samples';
import type { Page } from '@playwright/test';
import type { Api } from './support/api.ts';
import { expect, failedCall, test } from './support/test.ts';

async function makeDocuments(api: Api) {
  const customer = await api.makeCustomer();
  const letter = await api.makeDocument(customer.id, { filename: 'letter.txt', content: samples.txt });
  const paper = await api.makeDocument(customer.id, { filename: 'paper.pdf', content: samples.pdf });
  for (const { id } of [letter, paper]) {
    const read = () => api.get<{ document: Document }>(`/api/documents/${id}`);
    await expect.poll(async () => (await read()).document.thumbnail_url).not.toBeNull();
  }
  return { customer, letter, paper };
}

const cards = (page: Page) => page.getByRole('list', { name: 'Documents' }).getByRole('listitem');

async function isDrawn(page: Page, name: string): Promise<boolean> {
  const pictures = cards(page).filter({ hasText: name }).locator('img');
  const widths = await pictures.evaluateAll((all: HTMLImageElement[]) => all.map((one) => one.naturalWidth));
  return widths.some((width) => width > 150);
}

test("a customer's documents as thumbnails, and so in other lists", async ({ adminPage, api }) => {
  const { customer, letter, paper } = await makeDocuments(api);
  await adminPage.goto(`/customers/${customer.id}`);
  await adminPage.getByRole('button', { name: 'Thumbnails' }).click();
  await expect(cards(adminPage)).toHaveCount(2);
  await expect(cards(adminPage).filter({ hasText: letter.filename })).toContainText('CALL LOG');
  await expect.poll(() => isDrawn(adminPage, paper.filename)).toBe(true);

  await adminPage.goto('/documents/all');
  await expect(cards(adminPage).first()).toContainText(customer.name);
  await expect.poll(() => isDrawn(adminPage, paper.filename)).toBe(true);

  await adminPage.goto(`/customers/${customer.id}`);
  await adminPage.getByRole('button', { name: `Delete ${paper.filename}` }).click();
  await adminPage.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(cards(adminPage)).toHaveCount(1);
  await expect(adminPage.getByRole('link', { name: letter.filename })).toBeFocused();

  await adminPage.getByRole('button', { name: 'List' }).click();
  await expect(adminPage.getByRole('table', { name: 'Documents' })).toBeVisible();
});

test('a thumbnail appears while the mouse rests on a name', async ({ staffPage, api }) => {
  const { customer, paper } = await makeDocuments(api);
  await staffPage.goto(`/customers/${customer.id}`);
  const card = staffPage.getByTestId('hover-thumbnail');
  await staffPage.getByRole('link', { name: paper.filename }).hover();
  await expect(card.locator('img')).toBeVisible();
  await staffPage.getByRole('heading', { level: 1 }).hover();
  await expect(card).toHaveCount(0);
});

test('an expired link is renewed without a word', async ({ staffPage, api, expectConsole }) => {
  expectConsole(failedCall);
  const { customer, paper } = await makeDocuments(api);
  const makeExpired = (text: string) => text.replaceAll(/expires=\d+/g, 'expires=1');
  await staffPage.route(
    `**/api/documents/customer/${customer.id}`,
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: makeExpired(await response.text()) });
    },
    { times: 1 },
  );
  await staffPage.goto(`/customers/${customer.id}`);
  await staffPage.getByRole('button', { name: 'Thumbnails' }).click();
  await expect.poll(() => isDrawn(staffPage, paper.filename)).toBe(true);
});

import type { Document } from '@customer-database/contract/documents';
import { samples } from '@customer-database/testkit/samples';
import type { Page } from '@playwright/test';

import { expect, test } from './support/test.ts';

test.use({ callsMayFail: true });

const cards = (page: Page) => page.getByRole('list', { name: 'Documents' }).getByRole('listitem');

async function isDrawn(page: Page, name: string): Promise<boolean> {
  const pictures = cards(page).filter({ hasText: name }).locator('img');
  const widths = await pictures.evaluateAll((all: HTMLImageElement[]) => all.map((one) => one.naturalWidth));
  return widths.some((width) => width > 150);
}

test('documents are shown as thumbnails', async ({ adminPage: page, api }) => {
  const customer = await api.makeCustomer();
  const letter = await api.makeDocument(customer.id, { filename: 'letter.txt', content: samples.txt });
  const paper = await api.makeDocument(customer.id, { filename: 'paper.pdf', content: samples.pdf });
  for (const { id } of [letter, paper]) {
    const read = () => api.get<{ document: Document }>(`/api/documents/${id}`);
    await expect.poll(async () => (await read()).document.thumbnail_url).not.toBeNull();
  }
  await page.goto(`/customers/${customer.id}`);
  const hovered = page.getByTestId('hover-thumbnail');
  await page.getByRole('link', { name: paper.filename }).hover();
  await expect(hovered.locator('img')).toBeVisible();
  await page.getByRole('heading', { level: 1 }).hover();
  await expect(hovered).toHaveCount(0);
  await page.getByRole('button', { name: 'Thumbnails' }).click();
  await expect(cards(page)).toHaveCount(2);
  await expect(cards(page).filter({ hasText: letter.filename })).toContainText('CALL LOG');
  await expect.poll(() => isDrawn(page, paper.filename)).toBe(true);
  await page.goto('/documents/all');
  await expect(cards(page).first()).toContainText(customer.name);

  await page.route(
    `**/api/documents/customer/${customer.id}`,
    async (route) => {
      const response = await route.fetch();
      const expired = (await response.text()).replaceAll(/expires=\d+/g, 'expires=1');
      await route.fulfill({ response, body: expired });
    },
    { times: 1 },
  );
  await page.goto(`/customers/${customer.id}`);
  await expect.poll(() => isDrawn(page, paper.filename)).toBe(true);
  await page.getByRole('button', { name: `Delete ${paper.filename}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(cards(page)).toHaveCount(1);
  await expect(page.getByRole('link', { name: letter.filename })).toBeFocused();
  await page.getByRole('button', { name: 'List' }).click();
  await expect(page.getByRole('table', { name: 'Documents' })).toBeVisible();
});

import { answerCalls, failure, recordCalls } from './support/calls.ts';

import { expect, test } from './support/test.ts';

test.use({ callsMayFail: true });

type Ids = { customer: number; document: number };

const customers = 'Error loading customers. Please try again.';
const documents = 'Error loading documents. Please try again.';

const screens: [path: string, method: 'GET' | 'POST', call: string, text: string][] = [
  ['/customers/all', 'GET', '/api/customers', customers],
  ['/customers?name=x', 'POST', '/api/customers/search', customers],
  ['/customers/:customer', 'GET', '/api/customers/:customer', customers],
  ['/customers/:customer', 'GET', '/api/documents/customer/:customer', documents],
  ['/customers/:customer/edit', 'GET', '/api/customers/:customer', customers],
  ['/documents/all', 'GET', '/api/documents', documents],
  ['/documents?filename=x', 'POST', '/api/documents/search', documents],
  ['/documents/:document', 'GET', '/api/documents/:document', 'The document could not be loaded.'],
  ['/documents/upload', 'POST', '/api/customers/search', customers],
  ['/search?q=x', 'GET', '/api/search', 'The search failed. Please try again.'],
  ['/dashboard', 'GET', '/api/dashboard', 'Error loading the figures. Please try again.'],
  ['/admin/users', 'GET', '/api/users', 'Error loading users. Please try again.'],
  ['/admin/activity', 'GET', '/api/activity', 'Error loading the activity. Please try again.'],
];

const fillIn = (path: string, { customer, document }: Ids) =>
  path.replace(':customer', `${customer}`).replace(':document', `${document}`);

test('a screen sends a failed call again, then offers to', async ({ adminPage: page, api }) => {
  for (const [path, method, call, text] of screens) {
    await test.step(`${path}: ${method} ${call}`, async () => {
      const customer = (await api.makeCustomer()).id;
      const ids = { customer, document: (await api.makeDocument(customer)).id };
      const calls = recordCalls(page, method, fillIn(call, ids));
      const { restore } = await answerCalls(page, method, fillIn(call, ids), failure);
      await page.goto(fillIn(path, ids));
      const alert = page.getByRole('alert').filter({ hasText: text });
      await expect(alert).toBeVisible();
      expect(calls).toHaveLength(2);
      await restore();
      await alert.getByRole('button', { name: 'Try again' }).click();
      await expect(alert).toHaveCount(0);
      await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0);
      expect(calls.length).toBeGreaterThan(2);
    });
  }
});

import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { send } from './support/api.ts';
import { activity, card, systemFact } from './support/dashboard.ts';
import { testOnPreparedServer } from './support/prepared-server.ts';
import { expect, failedCall } from './support/test.ts';

const test = testOnPreparedServer(async () => undefined);
// The first test needs an unused server.
test.describe.configure({ mode: 'default' });

test('a new server has no customers, and the dashboard counts what is added', async ({
  adminPage: page,
  admin,
  api,
}) => {
  await page.goto('/customers/all');
  await expect(page.getByText('No customers found', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go to the first page' })).toHaveCount(0);
  await page.goto('/dashboard');
  await expect(card(page, 'Total Customers')).toHaveText('Total Customers0None yet');
  await expect(card(page, 'Total Documents')).toHaveText('Total Documents0None yet');
  // The first administrator, who creates the records, and this one.
  await expect(card(page, 'Active Users')).toHaveText('Active Users2in the last 30 days');
  await expect(card(page, 'This Month')).toHaveText('This Month0documents added');
  await expect(systemFact(page, 'Last Backup')).toHaveText('No backup yet');
  await expect(systemFact(page, 'Uptime')).toHaveText(/^\d min$/);
  await expect(activity(page).first()).toContainText(`invited ${admin.email}`);

  const customers = [await api.makeCustomer(), await api.makeCustomer(), await api.makeCustomer()];
  for (const { id } of customers.slice(1)) await api.makeDocument(id);
  await api.makeUser('staff');
  await page.reload();
  await expect(card(page, 'Total Customers')).toHaveText('Total Customers3All new in 30 days');
  await expect(card(page, 'Total Documents')).toHaveText('Total Documents2All new in 30 days');
  await expect(card(page, 'Active Users')).toHaveText('Active Users3in the last 30 days');
  await expect(card(page, 'This Month')).toHaveText('This Month2documents added');
});

test('an unavailable storage is disconnected', async ({ adminPage: page, server, expectConsole }) => {
  expectConsole(failedCall);
  const folder = join(server.dataDir, 'objects');
  await rename(folder, `${folder}-away`);
  try {
    // The server caches the health of its storage.
    await expect.poll(async () => (await send(server.url, 'GET', '/s3/health')).status).toBe(503);
    await page.goto('/dashboard');
    await expect(systemFact(page, 'Document Storage')).toHaveText('Disconnected');
    await expect(systemFact(page, 'System Status')).toHaveText('Connected');
  } finally {
    await rename(`${folder}-away`, folder);
  }
});

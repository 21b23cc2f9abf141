import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { send } from './support/api.ts';
import { activity, card, systemFact } from './support/dashboard.ts';
import { chooseFile, makeFile } from './support/files.ts';
import { look } from './support/look.ts';
import { testOnPreparedServer } from './support/prepared-server.ts';
import { expect } from './support/test.ts';
import { customerField, openUpload, uploadButton } from './support/upload-screen.ts';

const test = testOnPreparedServer(async () => undefined);

test('a new server has empty lists, and counts what is added', async ({
  adminPage: page,
  admin,
  api,
  server,
}) => {
  for (const noun of ['customers', 'documents']) {
    await page.goto(`/${noun}/all`);
    await expect(page.getByText(`No ${noun} found`, { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Go to the first page' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Next' })).toHaveCount(0);
  }
  await openUpload(page);
  await chooseFile(page, makeFile('plan.txt'));
  await expect(page.getByText('There are no customers yet.')).toBeVisible();
  await look(page, 'upload-without-customers');
  await expect(uploadButton(page)).toBeDisabled();
  await customerField(page).click();
  await expect(page.getByText('No customers found', { exact: true })).toBeVisible();

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
  await page.reload();
  await expect(card(page, 'Total Customers')).toHaveText('Total Customers3All new in 30 days');
  await expect(card(page, 'Total Documents')).toHaveText('Total Documents2All new in 30 days');
  await expect(card(page, 'This Month')).toHaveText('This Month2documents added');

  const folder = join(server.dataDir, 'objects');
  await rename(folder, `${folder}-away`);
  try {
    // The server caches the health of its storage.
    await expect.poll(async () => (await send(server.url, 'GET', '/s3/health')).status).toBe(503);
    await page.reload();
    await expect(systemFact(page, 'Document Storage')).toHaveText('Disconnected');
    await expect(systemFact(page, 'System Status')).toHaveText('Connected');
  } finally {
    await rename(`${folder}-away`, folder);
  }
});

test.use({ callsMayFail: true });

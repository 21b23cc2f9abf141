import { unique, uniqueEmail } from '../support/api.ts';
import { answerCalls } from '../support/calls.ts';
import { createButton, customerField, fillCustomer, saveButton } from '../support/customer-form.ts';
import { chooseFile, makeFile } from '../support/files.ts';
import { expect, test } from '../support/test.ts';
import { openUpload, uploadButton } from '../support/upload-screen.ts';

// Another server may respond differently: of these calls only success or failure counts.

test('a customer is created and changed whatever the server answers to it', async ({
  adminPage: page,
  api,
}) => {
  for (const body of ['created', {}, { id: 7 }]) {
    const { restore } = await answerCalls(page, 'POST', '/api/customers', { status: 201, body });
    await page.goto('/customers/new');
    await fillCustomer(page, { name: unique('Other'), dob: '1980-05-17', email: uniqueEmail('other') });
    await createButton(page).click();
    await expect(page).toHaveURL('/customers');
    await expect(page.getByText('Customer created successfully', { exact: true })).toBeVisible();
    await restore();
  }
  const { id, name } = await api.makeCustomer();
  await answerCalls(page, 'PUT', `/api/customers/${id}`, { status: 200, body: '' });
  await page.goto(`/customers/${id}/edit`);
  await fillCustomer(page, { city: 'Halifax' });
  await saveButton(page).click();
  await expect(page).toHaveURL(`/customers/${id}`);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await answerCalls(page, 'DELETE', `/api/customers/${id}`, { status: 204, body: '' });
  await page.goto(`/customers/${id}/edit`);
  await expect(customerField(page, 'name')).toHaveValue(name);
  await page.getByRole('button', { name: 'Delete customer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete customer' }).click();
  await expect(page.getByText('Customer deleted successfully', { exact: true })).toBeVisible();
});

test('an upload that is answered without a document has succeeded', async ({ adminPage: page, api }) => {
  const file = makeFile(`${unique('paper')}.pdf`);
  await openUpload(page, await api.makeCustomer());
  await chooseFile(page, file);
  await answerCalls(page, 'POST', '/api/documents', { status: 201, body: { message: 'Stored' } });
  await uploadButton(page).click();
  await expect(page).toHaveURL('/documents');
  await expect(page.getByText(`"${file.name}" was uploaded.`)).toBeVisible();
});

test('an invitation that is answered with success alone was sent', async ({ adminPage: page }) => {
  await page.goto('/admin/invite');
  await answerCalls(page, 'POST', '/api/auth/invite', { status: 200, body: { success: true } });
  await page.getByLabel('Email').fill(uniqueEmail('colleague'));
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText('Invitation sent successfully', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('');
});

import { unique, uniqueEmail } from './support/api.ts';
import { answerCalls, recordCalls } from './support/calls.ts';
import { createButton, customerField, fillCustomer, saveButton } from './support/customer-form.ts';
import { chooseFile, makeFile } from './support/files.ts';
import { expectScreen } from './support/screens.ts';
import { kept, signInAs } from './support/session.ts';
import { expect, test } from './support/test.ts';
import { contentsOf, contentsOfFiles, dragFiles, expectQueue, makeTexts } from './support/upload-queue.ts';
import { openUpload, uploadButton } from './support/upload-screen.ts';

test.use({ callsMayFail: true });

// Another server may respond differently: of these calls only success or failure counts.

test('a customer is created and changed, whatever the answer', async ({ adminPage: page, api }) => {
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
  await expect(page.getByText(`Deleted "${name}"`, { exact: true })).toBeVisible();
});

test('an upload and an invitation need no more than success', async ({ adminPage: page, api }) => {
  const file = makeFile(`${unique('paper')}.pdf`);
  await openUpload(page, await api.makeCustomer());
  await chooseFile(page, file);
  await answerCalls(page, 'POST', '/api/documents', { status: 201, body: { message: 'Stored' } });
  await uploadButton(page).click();
  await expect(page).toHaveURL('/documents');
  await expect(page.getByText(`"${file.name}" was uploaded.`)).toBeVisible();
  await page.goto('/admin/invite');
  await answerCalls(page, 'POST', '/api/auth/invite', { status: 200, body: { success: true } });
  await page.getByLabel('Email').fill(uniqueEmail('colleague'));
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText('Invitation sent successfully', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('');
});

test('a sign-in needs no more than a token, an email and a role', async ({ page, staff }) => {
  const user = { email: staff.email, role: 'staff', id: 'a-uuid', name: null, phone_number: 5550100 };
  const answer = { mfa_required: false, token: staff.token, user };
  const { restore } = await answerCalls(page, 'POST', '/api/auth/login', { status: 200, body: answer });
  const verified = await answerCalls(page, 'GET', '/api/auth/verify', { status: 200, body: { valid: true } });
  await page.goto('/login');
  await signInAs(page, staff);
  await expectScreen(page, 'Dashboard');
  await expect(page.getByText(`Welcome to the document database, ${staff.email}.`)).toBeVisible();
  await page.reload();
  await expectScreen(page, 'Dashboard');
  const { local } = await kept(page);
  expect(JSON.parse(local.user ?? '')).toMatchObject({ email: staff.email, role: 'staff' });
  await verified.restore();
  const name = { user: { name: 'Robin Later' } };
  await answerCalls(page, 'GET', '/api/auth/verify', { status: 200, body: name });
  await page.reload();
  await expect(page.getByText('Welcome to the document database, Robin Later.')).toBeVisible();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await restore();
  const unknown = { token: staff.token, user: { email: staff.email, role: 'owner' } };
  await answerCalls(page, 'POST', '/api/auth/login', { status: 200, body: unknown });
  await signInAs(page, staff);
  await expect(page.getByRole('alert')).toHaveText('Login failed. Please try again.');
});

test('where forms are refused, the queue sends JSON', async ({ adminPage: page, api }) => {
  const { id } = await api.makeCustomer();
  const statuses = [400, 415, 400];
  await page.route('**/api/documents', (route) => {
    const type = route.request().headers()['content-type'] ?? '';
    if (!type.startsWith('multipart/form-data')) return route.fallback();
    return route.fulfill({ status: statuses.pop() ?? 500, json: { error: 'Send JSON' } });
  });
  const sent = recordCalls(page, 'POST', '/api/documents');
  await page.goto(`/customers/${id}`);
  await expect(page.getByRole('button', { name: 'Upload files' })).toBeVisible();
  const files = makeTexts(unique('Plain'), 5);
  await dragFiles(page, 'drop', files);
  await expectQueue(page, '5 of 5 uploaded');
  expect(await contentsOf(api, id)).toEqual(contentsOfFiles(files));
  // Only those that were under way before the first answer were sent as forms.
  expect(statuses).toEqual([]);
  const keys = ['customer_id', 'description', 'file_data', 'filename', 'mime_type'];
  const asJson = sent.filter((each) => each.headers()['content-type'] === 'application/json');
  for (const each of asJson) expect(Object.keys(each.postDataJSON()).sort()).toEqual(keys);
});

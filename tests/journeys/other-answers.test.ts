import { unique, uniqueEmail } from './support/api.ts';
import { answerCalls, recordCalls } from './support/calls.ts';
import { createButton, customerField, fillCustomer, saveButton } from './support/customer-form.ts';
import { chooseFile, makeFile } from './support/files.ts';
import { expectScreen } from './support/screens.ts';
import { kept, signInAs } from './support/session.ts';
import { expect, failedCall, test } from './support/test.ts';
import { contentsOf, contentsOfFiles, dragFiles, expectQueue, makeTexts } from './support/upload-queue.ts';
import { openUpload, uploadButton } from './support/upload-screen.ts';

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
  await expect(page.getByText(`Deleted "${name}"`, { exact: true })).toBeVisible();
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

test('a customer with a time of birth, or with hardly anything, is shown and can be changed', async ({
  adminPage: page,
  api,
}) => {
  const { id, name } = await api.makeCustomer();
  const path = `/api/customers/${id}`;
  const saved = recordCalls(page, 'PUT', path);
  await answerCalls(page, 'PUT', path, { status: 200, body: {} });
  for (const [customer, shown, dob] of [
    [{ id, name, dob: '1980-05-17T00:00:00.000Z' }, '17 May 1980', '1980-05-17'],
    [{ id, name, dob: 'unknown', created_at: null }, 'unknown', null],
    [{ id, name }, '–', null],
  ] as const) {
    const { restore } = await answerCalls(page, 'GET', path, { status: 200, body: { customer } });
    await page.goto(`/customers/${id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    const facts = page.getByRole('definition');
    await expect(facts.first()).toHaveText(shown);
    await expect(facts.last()).toHaveText('–');
    await page.getByRole('link', { name: 'Edit information' }).click();
    await fillCustomer(page, { city: 'Halifax' });
    await saveButton(page).click();
    await expect(page).toHaveURL(`/customers/${id}`);
    expect(saved.at(-1)?.postDataJSON()).toEqual({
      name,
      dob,
      email: null,
      phone_number: null,
      street_line: null,
      city: 'Halifax',
      province: null,
      country: null,
    });
    await restore();
  }
});

for (const status of [400, 415]) {
  test(`the upload queue sends the payload of the specification where a form is answered with ${status}`, async ({
    adminPage: page,
    api,
    expectConsole,
  }) => {
    expectConsole(failedCall);
    const { id } = await api.makeCustomer();
    const forms: string[] = [];
    await page.route('**/api/documents', (route) => {
      const type = route.request().headers()['content-type'] ?? '';
      if (!type.startsWith('multipart/form-data')) return route.fallback();
      forms.push(type);
      return route.fulfill({ status, json: { error: 'Send JSON' } });
    });
    const sent = recordCalls(page, 'POST', '/api/documents');
    await page.goto(`/customers/${id}`);
    await expect(page.getByRole('button', { name: 'Upload files' })).toBeVisible();
    const files = makeTexts(unique('Plain'), 5);
    await dragFiles(page, 'drop', files);
    await expectQueue(page, '5 of 5 uploaded');
    expect(await contentsOf(api, id)).toEqual(contentsOfFiles(files));
    // Only those that were under way before the first answer.
    expect(forms).toHaveLength(3);
    for (const call of sent.filter((each) => each.headers()['content-type'] === 'application/json')) {
      expect(Object.keys(call.postDataJSON()).sort()).toEqual([
        'customer_id',
        'description',
        'file_data',
        'filename',
        'mime_type',
      ]);
    }
  });
}

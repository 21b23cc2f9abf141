import type { Page } from '@playwright/test';
import { answerCalls } from './support/calls.ts';

import { endOnServer, expectSignedOut, signInAs } from './support/session.ts';
import { expect, test } from './support/test.ts';

test.use({ callsMayFail: true });

type Ids = { customer: number; document: number };
type Form = {
  path: (ids: Ids) => string;
  fields: Record<string, string>;
  button: string;
  call: (ids: Ids) => [method: 'POST' | 'PUT', path: string];
  failed: string;
  /** Passwords: nothing is asked about them, nothing kept. */
  isSecret?: boolean;
};

const forms: Record<string, Form> = {
  'the form to add a customer': {
    path: () => '/customers/new',
    fields: { Name: 'Half a customer', 'Date of Birth': '1980-05-17', Email: 'half@example.com' },
    button: 'Create Customer',
    call: () => ['POST', '/api/customers'],
    failed: 'Failed to create customer. Please try again.',
  },
  'the form to edit a customer': {
    path: ({ customer }) => `/customers/${customer}/edit`,
    fields: { City: 'Halifax', Country: 'Canada' },
    button: 'Save Changes',
    call: ({ customer }) => ['PUT', `/api/customers/${customer}`],
    failed: 'Failed to update customer. Please try again.',
  },
  'the form to edit a document': {
    path: ({ document }) => `/documents/${document}/edit`,
    fields: { Filename: 'unsaved.txt' },
    button: 'Save Changes',
    call: ({ document }) => ['PUT', `/api/documents/${document}`],
    failed: 'Failed to update document. Please try again.',
  },
  'the profile': {
    path: () => '/profile',
    fields: { 'Phone number': '+1 555 0100' },
    button: 'Save Changes',
    call: () => ['PUT', '/api/auth/profile'],
    failed: 'Failed to update profile',
  },
  'the invitation': {
    path: () => '/admin/invite',
    fields: { Email: 'new@example.com' },
    button: 'Send invitation',
    call: () => ['POST', '/api/auth/invite'],
    failed: 'Failed to send invitation',
  },
  'the change of a password': {
    path: () => '/change-password',
    fields: {
      'Current password': 'the old one',
      'New password': 'something else',
      'Confirm new password': 'something else',
    },
    button: 'Change password',
    call: () => ['PUT', '/api/auth/change-password'],
    failed: 'Failed to change password',
    isSecret: true,
  },
};

const main = (page: Page) => page.getByRole('main');
const field = (page: Page, label: string) =>
  main(page)
    .getByLabel(new RegExp(`^${label}`))
    .first();
const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
const leave = (page: Page) =>
  page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Dashboard' }).click();

const expectDashboard = (page: Page) =>
  expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');

async function expectQuestions(page: Page): Promise<void> {
  await leave(page);
  await question(page).getByRole('button', { name: 'Stay here' }).click();
  await expect(question(page)).toHaveCount(0);
  await page.goForward();
  await expect(question(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question(page)).toHaveCount(0);
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  expect((await asked).type()).toBe('beforeunload');
  await (await asked).dismiss();
}

for (const [name, { path, fields, button, call, failed, isSecret }] of Object.entries(forms)) {
  test(`${name}: input survives leaving, failures and a new sign-in`, async ({
    adminPage: page,
    admin,
    api,
  }) => {
    const customer = (await api.makeCustomer()).id;
    const ids = { customer, document: (await api.makeDocument(customer)).id };
    const submit = () => main(page).getByRole('button', { name: button, exact: true }).click();
    const expectInput = async () => {
      for (const [label, value] of Object.entries(fields))
        await expect(field(page, label)).toHaveValue(value);
    };
    await page.goto(path(ids));
    const [first = ''] = Object.keys(fields);
    await expect(field(page, first)).toBeVisible();
    await leave(page);
    await expectDashboard(page);
    await page.goBack();
    for (const [label, value] of Object.entries(fields)) await field(page, label).fill(value);
    if (!isSecret) await expectQuestions(page);
    await expectInput();

    const [method, to] = call(ids);
    for (const [answer, text] of [
      [{ status: 500, body: { error: 'Not today', message: 'Never' } }, 'Not today'],
      [{ status: 500, body: { message: 'Never' } }, 'Never'],
      [{ status: 500, body: {} }, failed],
      ['no answer', failed],
    ] as const) {
      const { restore } = await answerCalls(page, method, to, answer);
      await submit();
      await expect(page.getByRole('alert')).toHaveText(text);
      await restore();
    }
    await expectInput();

    await endOnServer(page, api.url, admin.token);
    await submit();
    await expectSignedOut(page);
    await signInAs(page, admin);
    await expect(page).toHaveURL(path(ids));
    if (isSecret) return;
    await expectInput();
    await leave(page);
    await question(page).getByRole('button', { name: 'Leave without saving' }).click();
    await expectDashboard(page);
    await page.goBack();
    await expect(field(page, first)).not.toHaveValue(fields[first] ?? '');
  });
}

test('the input of one user is not shown to the next', async ({ adminPage: page, admin, api }) => {
  const other = await api.makeUser('admin');
  await page.goto('/customers/new');
  const { fields, button } = forms['the form to add a customer'] as Form;
  for (const [label, value] of Object.entries(fields)) await field(page, label).fill(value);
  await endOnServer(page, api.url, admin.token);
  await main(page).getByRole('button', { name: button }).click();
  await expectSignedOut(page);
  await signInAs(page, other);
  await expect(page).toHaveURL('/dashboard');
  await page.goto('/customers/new');
  await expect(field(page, 'Name')).toHaveValue('');
});

import { send, unique, uniqueEmail } from './support/api.ts';
import { answerCalls, holdCalls, recordCalls } from './support/calls.ts';
import { expect, test } from './support/test.ts';

test.use({ callsMayFail: true });

const invite = '/api/auth/invite';
const sent = 'Invitation sent successfully';

test('an invitation is sent once, and its password shown once', async ({ adminPage: page, server }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const calls = recordCalls(page, 'POST', invite);
  const colleague = { email: uniqueEmail('colleague'), name: unique('Colleague'), role: 'admin' };
  await page.goto('/admin/invite');
  const [email, role] = [page.getByLabel('Email'), page.getByLabel('Role')];
  const button = page.getByRole('button', { name: 'Send invitation' });
  await expect(email).toHaveAttribute('type', 'email');
  await expect(role).toHaveValue('staff');
  await expect(role.getByRole('option')).toHaveText(['Staff', 'Admin']);
  await button.click();
  await expect(email).toHaveAccessibleDescription('Email is required');
  await expect(email).toBeFocused();
  await email.fill('nonsense');
  await button.click();
  await expect(email).toHaveAccessibleDescription('Invalid email address');
  expect(calls).toHaveLength(0);

  await email.fill(colleague.email);
  await page.getByLabel('Name (optional)').fill(colleague.name);
  await role.selectOption('Admin');
  const { release } = await holdCalls(page, invite);
  await button.dblclick();
  release();
  const banner = page.getByRole('status').filter({ hasText: sent });
  await expect(banner.getByText(sent, { exact: true })).toBeVisible();
  await expect(banner).toContainText(colleague.email);
  await expect(email).toHaveValue('');
  await expect(page.getByLabel('Name (optional)')).toHaveValue('');
  await expect(role).toHaveValue('staff');
  expect(calls.map((call) => call.postDataJSON())).toEqual([colleague]);
  const password = await banner.getByRole('code').textContent();
  const account = { email: colleague.email, password };
  const { body } = await send(server.url, 'POST', '/api/auth/login', undefined, account);
  expect(body).toMatchObject({ user: { role: 'admin' }, require_password_change: true });
  await page.getByRole('button', { name: 'Copy password' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invite New User');
  await expect(page.getByRole('code')).toHaveCount(0);
});

test('an invitation is mailed, refused, or sent after a confirmation', async ({
  adminPage: page,
  admin,
  staff,
}) => {
  await page.goto('/admin/invite');
  const send = async (email: string) => {
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send invitation' }).click();
  };
  const alert = page.getByRole('alert');
  // As a server answers that sends the password by mail.
  const body = { message: sent, delivery: 'mail', user: staff.user };
  const mailed = await answerCalls(page, 'POST', invite, { status: 200, body });
  const email = uniqueEmail('colleague');
  await send(email);
  await expect(page.getByText(sent, { exact: true })).toBeVisible();
  await expect(page.getByText(`${email} gets an email with a temporary password.`)).toBeVisible();
  await expect(page.getByRole('code')).toHaveCount(0);
  await mailed.restore();
  await send(staff.email);
  await expect(alert).toHaveText('A user with this email already exists');
  await expect(page.getByLabel('Email')).toHaveValue(staff.email);
  await expect(page.getByText(sent)).toHaveCount(0);
  await page.getByLabel('Email').fill(uniqueEmail('colleague'));
  const required = { error: 'Please confirm that it is you', code: 'CONFIRMATION_REQUIRED' };
  const { restore } = await answerCalls(page, 'POST', invite, { status: 403, body: required });
  await page.getByRole('button', { name: 'Send invitation' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(dialog).toBeVisible();
  await restore();
  await dialog.getByRole('textbox', { name: 'Password' }).fill(admin.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText(sent, { exact: true })).toBeVisible();
  await expect(alert).toHaveCount(0);
});

import { send, unique, uniqueEmail } from './support/api.ts';
import { answerCalls, failure, holdCalls, recordCalls } from './support/calls.ts';
import { firstAdmin, startServer } from './support/server.ts';
import { kept, signInAs } from './support/session.ts';
import { expect, failedCall, test } from './support/test.ts';

const invite = '/api/auth/invite';
const sent = 'Invitation sent successfully';

test('an invitation needs an email address and is for staff unless said otherwise', async ({
  adminPage: page,
}) => {
  const calls = recordCalls(page, 'POST', invite);
  await page.goto('/admin/invite');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invite New User');
  const email = page.getByLabel('Email');
  const button = page.getByRole('button', { name: 'Send invitation' });
  await expect(email).toHaveAttribute('type', 'email');
  await expect(page.getByLabel('Role')).toHaveValue('staff');
  await expect(page.getByLabel('Role').getByRole('option')).toHaveText(['Staff', 'Admin']);
  await button.click();
  await expect(email).toHaveAccessibleDescription('Email is required');
  await expect(email).toBeFocused();
  await email.fill('nonsense');
  await button.click();
  await expect(email).toHaveAccessibleDescription('Invalid email address');
  expect(calls).toHaveLength(0);
});

test('a sent invitation is confirmed, and the form is cleared', async ({ adminPage: page, server }) => {
  const calls = recordCalls(page, 'POST', invite);
  const colleague = { email: uniqueEmail('colleague'), name: unique('Colleague'), role: 'admin' };
  await page.goto('/admin/invite');
  await page.getByLabel('Email').fill(colleague.email);
  await page.getByLabel('Name (optional)').fill(colleague.name);
  await page.getByLabel('Role').selectOption('Admin');
  await page.getByRole('button', { name: 'Send invitation' }).click();
  const banner = page.getByRole('status').filter({ hasText: sent });
  await expect(banner.getByText(sent, { exact: true })).toBeVisible();
  await expect(banner).toContainText(colleague.email);
  await expect(page.getByLabel('Email')).toHaveValue('');
  await expect(page.getByLabel('Name (optional)')).toHaveValue('');
  await expect(page.getByLabel('Role')).toHaveValue('staff');
  expect(calls.map((call) => call.postDataJSON())).toEqual([colleague]);
  const password = await banner.getByRole('code').textContent();
  const signedIn = await send(server.url, 'POST', '/api/auth/login', undefined, {
    email: colleague.email,
    password,
  });
  expect(signedIn.body).toMatchObject({
    user: { name: colleague.name, role: 'admin' },
    require_password_change: true,
  });
});

test('an invitation long after the sign-in asks who it is, and is then sent', async ({
  adminPage: page,
  admin,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const required = { error: 'Please confirm that it is you', code: 'CONFIRMATION_REQUIRED' };
  const { restore } = await answerCalls(page, 'POST', invite, { status: 403, body: required });
  await page.goto('/admin/invite');
  await page.getByLabel('Email').fill(uniqueEmail('colleague'));
  await page.getByRole('button', { name: 'Send invitation' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(dialog).toBeVisible();
  await restore();
  await dialog.getByRole('textbox', { name: 'Password' }).fill(admin.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: sent })).toBeVisible();
});

test('the temporary password can be copied, and is shown only once', async ({ adminPage: page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/admin/invite');
  await page.getByLabel('Email').fill(uniqueEmail('colleague'));
  await page.getByRole('button', { name: 'Send invitation' }).click();
  const password = await page.getByRole('code').textContent();
  await page.getByRole('button', { name: 'Copy password' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invite New User');
  await expect(page.getByRole('code')).toHaveCount(0);
});

test('inviting again makes a new password and voids the old one', async ({ adminPage: page, server }) => {
  const email = uniqueEmail('colleague');
  await page.goto('/admin/invite');
  const passwords: string[] = [];
  for (const time of [1, 2]) {
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await expect(page.getByLabel('Email')).toHaveValue('');
    passwords.push((await page.getByRole('code').textContent()) ?? '');
    expect(passwords).toHaveLength(time);
  }
  const statuses = [];
  for (const password of passwords) {
    statuses.push((await send(server.url, 'POST', '/api/auth/login', undefined, { email, password })).status);
  }
  expect(statuses).toEqual([401, 200]);
});

test('a known address is refused with the message of the server', async ({
  adminPage: page,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await page.goto('/admin/invite');
  await page.getByLabel('Email').fill(staff.email);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByRole('alert')).toHaveText('A user with this email already exists');
  await expect(page.getByLabel('Email')).toHaveValue(staff.email);
  await expect(page.getByText(sent)).toHaveCount(0);
});

test('a failure without a message shows a fixed one, and replaces a success', async ({
  adminPage: page,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await page.goto('/admin/invite');
  await page.getByLabel('Email').fill(uniqueEmail('colleague'));
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText(sent, { exact: true })).toBeVisible();
  const { restore } = await answerCalls(page, 'POST', invite, failure);
  await page.getByLabel('Email').fill(uniqueEmail('colleague'));
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to send invitation');
  await expect(page.getByText(sent)).toHaveCount(0);
  await restore();
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText(sent, { exact: true })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a double click invites once', async ({ adminPage: page }) => {
  const calls = recordCalls(page, 'POST', invite);
  const { release } = await holdCalls(page, invite);
  await page.goto('/admin/invite');
  await page.getByLabel('Email').fill(uniqueEmail('colleague'));
  await page.getByRole('button', { name: 'Send invitation' }).dblclick();
  release();
  await expect(page.getByText(sent, { exact: true })).toBeVisible();
  expect(calls).toHaveLength(1);
});

test('with a mail server only the invited person sees the password', async ({ page }) => {
  // Nothing listens there: mail waits in the queue and blocks nobody.
  const server = await startServer({
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Customer Database <no-reply@example.com>',
    LOG_LEVEL: 'fatal',
  });
  try {
    await page.goto(`${server.url}/admin/invite`);
    await signInAs(page, firstAdmin);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invite New User');
    const email = uniqueEmail('colleague');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send invitation' }).click();
    const banner = page.getByRole('status').filter({ hasText: sent });
    await expect(banner).toContainText(`${email} gets an email with a temporary password.`);
    await expect(page.getByRole('code')).toHaveCount(0);
    await expect(page).toHaveURL(`${server.url}/admin/invite`);
    expect((await kept(page)).local).toHaveProperty('authToken');
  } finally {
    await page.close();
    await server.stop();
  }
});

import type { Page } from '@playwright/test';
import { send, unique, uniqueEmail } from './support/api.ts';
import { Authenticator } from './support/authenticator.ts';
import { answerCalls, failure, holdCalls, holdNextAnswer, recordCalls } from './support/calls.ts';
import { endOnServer, expectSignedOut, kept, signInAs } from './support/session.ts';
import { expect, failedCall, test } from './support/test.ts';

test.use({ ownAccounts: true });

const profile = '/api/auth/profile';

test('the profile shows who is signed in and saves what they change', async ({
  staffPage: page,
  server,
  staff,
}) => {
  const calls = recordCalls(page, 'PUT', profile);
  await page.goto('/profile');
  await expect(page.getByLabel('Name')).toHaveValue(staff.user.name);
  await expect(page.getByLabel('Email')).toHaveValue(staff.email);
  await expect(page.getByLabel('Phone number')).toHaveValue('');
  const changed = { name: unique('Renamed'), email: uniqueEmail('renamed'), phone_number: '+49 30 901820' };
  await page.getByLabel('Name').fill(changed.name);
  await page.getByLabel('Email').fill(changed.email);
  await page.getByLabel('Phone number').fill(changed.phone_number);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Profile' })).toHaveText(
    'Profile updated successfully',
  );
  expect(calls.map((call) => call.postDataJSON())).toEqual([changed]);
  await expect(page.getByRole('link', { name: changed.name })).toBeVisible();
  expect(JSON.parse((await kept(page)).local.user ?? '')).toMatchObject(changed);
  const { body } = await send(server.url, 'GET', '/api/auth/verify', staff.token);
  expect(body.user).toMatchObject(changed);
  await page.reload();
  await expect(page.getByLabel('Name')).toHaveValue(changed.name);
  await expect(page.getByLabel('Phone number')).toHaveValue(changed.phone_number);
});

test('the response updates the session user and shows its message', async ({ staffPage: page, staff }) => {
  const user = { ...staff.user, name: unique('Tidied Up') };
  await answerCalls(page, 'PUT', profile, { status: 200, body: { message: 'All is saved', user } });
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('All is saved', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue(user.name);
  await expect(page.getByRole('link', { name: user.name })).toBeVisible();
  expect(JSON.parse((await kept(page)).local.user ?? '')).toEqual(user);
});

test('a stale response about the user is ignored after a change', async ({ staffPage: page, staff }) => {
  const before = await holdNextAnswer(page, '/api/auth/verify');
  await page.goto('/profile');
  await before.answered;
  const name = unique('Changed Meanwhile');
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Profile updated successfully', { exact: true })).toBeVisible();
  await before.release();
  await page.getByRole('link', { name: 'All Customers', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Customers');
  await expect(page.getByRole('link', { name: staff.user.name })).toHaveCount(0);
  await page.getByRole('link', { name }).click();
  // By its role: a column of the list that is left is labelled so, too.
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name);
});

test('without a message of the server, a saved profile shows a fixed one', async ({
  staffPage: page,
  staff,
}) => {
  await answerCalls(page, 'PUT', profile, { status: 200, body: { user: staff.user } });
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Profile updated successfully', { exact: true })).toBeVisible();
});

test('the button says Saving... while busy, and a double click saves once', async ({ staffPage: page }) => {
  const calls = recordCalls(page, 'PUT', profile);
  const { release } = await holdCalls(page, profile);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Save Changes' }).dblclick();
  const busy = page.getByRole('button', { name: 'Saving...' });
  await expect(busy).toBeFocused();
  await page.keyboard.press('Enter');
  release();
  await expect(page.getByText('Profile updated successfully', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeVisible();
  expect(calls).toHaveLength(1);
});

test('a failure shows the message of the server, or else a fixed one', async ({
  staffPage: page,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await page.goto('/profile');
  await page.getByLabel('Name').fill('A new name');
  for (const [body, text] of [
    [{ error: 'Not today', message: 'Never' }, 'Not today'],
    [{ message: 'Never' }, 'Never'],
    [{}, 'Failed to update profile'],
  ] as const) {
    const { restore } = await answerCalls(page, 'PUT', profile, { status: 500, body });
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByRole('alert')).toHaveText(text);
    await expect(page.getByLabel('Name')).toHaveValue('A new name');
    await restore();
  }
});

test('offline, saving fails with a message', async ({ staffPage: page, expectConsole }) => {
  expectConsole(failedCall);
  await page.goto('/profile');
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to update profile');
});

test('a field rejected by the server shows its message', async ({
  staffPage: page,
  admin,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await page.goto('/profile');
  const email = page.getByLabel('Email');
  await email.fill(admin.email);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(email).toHaveAccessibleDescription('A user with this email already exists');
  await expect(email).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a name and an email address are needed', async ({ staffPage: page }) => {
  const calls = recordCalls(page, 'PUT', profile);
  await page.goto('/profile');
  await page.getByLabel('Name').fill(' ');
  await page.getByLabel('Email').fill('nonsense');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Name is required');
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Invalid email address');
  await expect(page.getByLabel('Name')).toBeFocused();
  expect(calls).toHaveLength(0);
});

test('changes are not lost silently', async ({ staffPage: page, staff }) => {
  await page.goto('/profile');
  await page.getByLabel('Name').fill('Half way');
  await page.getByRole('link', { name: 'All Customers', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('What you changed on this screen is not saved yet.');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel('Name')).toHaveValue('Half way');
  await page.getByRole('link', { name: 'All Customers', exact: true }).click();
  await dialog.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Customers');
  await page.goBack();
  await expect(page.getByLabel('Name')).toHaveValue(staff.user.name);
});

test('input is restored after the session ended half way', async ({
  staffPage: page,
  server,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await page.goto('/profile');
  await page.getByLabel('Phone number').fill('+1 555 0100');
  await endOnServer(page, server.url, staff.token);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expectSignedOut(page);
  await signInAs(page, staff);
  await expect(page).toHaveURL('/profile');
  await expect(page.getByLabel('Phone number')).toHaveValue('+1 555 0100');
});

const required = { error: 'Please confirm that it is you', code: 'CONFIRMATION_REQUIRED' };

/** Simulates a session older than 15 minutes: refuses these calls until it is confirmed. */
async function ageSession(page: Page, ...paths: string[]): Promise<void> {
  const refused = await Promise.all(
    paths.map((path) =>
      answerCalls(page, path === profile ? 'PUT' : 'POST', path, { status: 403, body: required }),
    ),
  );
  page.on('response', async (response) => {
    if (response.url().endsWith('/api/auth/confirm') && response.ok())
      for (const { restore } of refused) await restore();
  });
}

test('changing the email long after the sign-in asks for the password, and then saves', async ({
  staffPage: page,
  server,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await page.goto('/profile');
  await ageSession(page, profile);
  const email = uniqueEmail('moved');
  await page.getByLabel('Email').fill(email);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
  const password = dialog.getByRole('textbox', { name: 'Password' });
  await expect(password).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveText(required.error);
  await expect(page.getByLabel('Email')).toHaveValue(email);

  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(password).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Password is required')).toBeVisible();
  await page.keyboard.type('not my password');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('The password is not correct')).toBeVisible();
  await expect(password).toBeFocused();
  await password.fill(staff.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Profile updated successfully', { exact: true })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  const { body } = await send(server.url, 'GET', '/api/auth/verify', staff.token);
  expect(body.user.email).toBe(email);
});

test('so does setting up MFA, once for both steps; with MFA on, a code is enough', async ({
  staffPage: page,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await page.goto('/profile');
  await ageSession(page, '/api/auth/mfa/setup/start');
  await page.getByRole('button', { name: 'Set up MFA' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
  await expect(dialog.getByRole('button', { name: 'Use an MFA code instead' })).toHaveCount(0);
  await dialog.getByRole('textbox', { name: 'Password' }).fill(staff.password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  const app = new Authenticator((await page.getByRole('code').textContent()) ?? '');
  await ageSession(page, '/api/auth/mfa/setup/verify');
  await page.getByLabel('MFA code').fill(await app.nextCode());
  await page.getByRole('button', { name: 'Turn on MFA' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert')).toHaveText(required.error);
  await page.getByRole('button', { name: 'Turn on MFA' }).click();
  await dialog.getByRole('textbox', { name: 'Password' }).fill(staff.password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();

  await page.getByLabel('I have saved these codes').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await ageSession(page, profile);
  const email = uniqueEmail('moved');
  await page.getByLabel('Email').fill(email);
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Use an MFA code instead' }).click();
  await dialog.getByLabel('MFA code').fill(await app.nextCode());
  await page.keyboard.press('Enter');
  await expect(page.getByText('Profile updated successfully', { exact: true })).toBeVisible();
});

test('MFA that cannot be set up says so', async ({ staffPage: page, expectConsole }) => {
  expectConsole(failedCall);
  await answerCalls(page, 'POST', '/api/auth/mfa/setup/start', failure);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Set up MFA' }).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to start the MFA setup');
});

import type { Page } from '@playwright/test';
import { unique, uniqueEmail } from './support/api.ts';
import { Authenticator } from './support/authenticator.ts';
import { answerCalls, holdCalls, holdNextAnswer, recordCalls } from './support/calls.ts';
import { firstAdmin } from './support/server.ts';
import { kept } from './support/session.ts';
import { expect, test } from './support/test.ts';

test.use({ ownAccounts: true, callsMayFail: true });

const profile = '/api/auth/profile';
const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' }).click();
const saved = (page: Page) => page.getByText('Profile updated successfully', { exact: true });

test('the profile shows the user, and saves changes once', async ({ staffPage: page, staff }) => {
  const calls = recordCalls(page, 'PUT', profile);
  await page.goto('/profile');
  await expect(page.getByLabel('Name')).toHaveValue(staff.user.name);
  await expect(page.getByLabel('Email')).toHaveValue(staff.email);
  await expect(page.getByLabel('Phone number')).toHaveValue('');
  await page.getByLabel('Name').fill(' ');
  await page.getByLabel('Email').fill('nonsense');
  await save(page);
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Name is required');
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Invalid email address');
  await expect(page.getByLabel('Name')).toBeFocused();
  expect(calls).toHaveLength(0);
  await page.getByLabel('Name').fill(staff.user.name);
  await page.getByLabel('Email').fill(firstAdmin.email);
  await save(page);
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('A user with this email already exists');
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  const changed = { name: unique('Renamed'), email: uniqueEmail('renamed'), phone_number: '+49 30 901820' };
  await page.getByLabel('Name').fill(changed.name);
  await page.getByLabel('Email').fill(changed.email);
  await page.getByLabel('Phone number').fill(changed.phone_number);
  const { release } = await holdCalls(page, profile);
  await page.getByRole('button', { name: 'Save Changes' }).dblclick();
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeFocused();
  await page.keyboard.press('Enter');
  release();
  await expect(saved(page)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeVisible();
  expect(calls.slice(1).map((call) => call.postDataJSON())).toEqual([changed]);
  await expect(page.getByRole('link', { name: changed.name })).toBeVisible();
  expect(JSON.parse((await kept(page)).local.user ?? '')).toMatchObject(changed);
  await page.reload();
  await expect(page.getByLabel('Name')).toHaveValue(changed.name);
  await expect(page.getByLabel('Phone number')).toHaveValue(changed.phone_number);
});

test('the response updates the session user, an older one does not', async ({ staffPage: page, staff }) => {
  const before = await holdNextAnswer(page, '/api/auth/verify');
  await page.goto('/profile');
  await before.answered;
  const user = { ...staff.user, name: unique('Tidied Up') };
  await answerCalls(page, 'PUT', profile, { status: 200, body: { message: 'All is saved', user } });
  await save(page);
  await expect(page.getByText('All is saved', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue(user.name);
  await before.release();
  await page.getByRole('link', { name: 'All Customers', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Customers');
  await expect(page.getByRole('link', { name: staff.user.name })).toHaveCount(0);
  await expect(page.getByRole('link', { name: user.name })).toBeVisible();
  expect(JSON.parse((await kept(page)).local.user ?? '')).toEqual(user);
});

const required = { error: 'Please confirm that it is you', code: 'CONFIRMATION_REQUIRED' };

/** Simulates a session older than 15 minutes: refuses this call until the session is confirmed. */
async function ageSession(page: Page, method: 'PUT' | 'POST', path: string): Promise<void> {
  const { restore } = await answerCalls(page, method, path, { status: 403, body: required });
  page.on('response', async (response) => {
    if (response.url().endsWith('/api/auth/confirm') && response.ok()) await restore();
  });
}

test('a sensitive change asks for the password or a code, then saves', async ({ staffPage: page, staff }) => {
  await page.goto('/profile');
  await ageSession(page, 'PUT', profile);
  const email = page.getByLabel('Email');
  const moved = uniqueEmail('moved');
  await email.fill(moved);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
  const password = dialog.getByRole('textbox', { name: 'Password' });
  await expect(password).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Use an MFA code instead' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveText(required.error);
  await expect(email).toHaveValue(moved);
  await save(page);
  await expect(password).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Password is required')).toBeVisible();
  await page.keyboard.type('not my password');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('The password is not correct')).toBeVisible();
  await expect(password).toBeFocused();
  await password.fill(staff.password);
  await page.keyboard.press('Enter');
  await expect(saved(page)).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(email).toHaveValue(moved);

  await page.getByRole('button', { name: 'Set up MFA' }).click();
  const app = new Authenticator((await page.getByRole('code').textContent()) ?? '');
  await ageSession(page, 'POST', '/api/auth/mfa/setup/verify');
  await page.getByLabel('MFA code').fill(await app.nextCode());
  await page.getByRole('button', { name: 'Turn on MFA' }).click();
  await password.fill(staff.password);
  await page.keyboard.press('Enter');
  await page.getByLabel('I have saved these codes').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await ageSession(page, 'PUT', profile);
  await email.fill(uniqueEmail('moved'));
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Use an MFA code instead' }).click();
  await dialog.getByLabel('MFA code').fill(await app.nextCode());
  await page.keyboard.press('Enter');
  await expect(saved(page)).toBeVisible();
});

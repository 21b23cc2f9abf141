import type { Page } from '@playwright/test';
import { answerCalls, failure, holdCalls, recordCalls } from './support/calls.ts';
import { kept, signInAs } from './support/session.ts';
import { expect, test } from './support/test.ts';

test.use({ callsMayFail: true });

const login = '/api/auth/login';
const email = (page: Page) => page.getByLabel('Email');
const password = (page: Page) => page.getByLabel('Password', { exact: true });
const button = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true });

test('email and password are checked before anything is sent', async ({ page }) => {
  const calls = recordCalls(page, 'POST', login);
  await page.goto('/login');
  await expect(page).toHaveTitle('Sign in to your account · Customer Database');
  await button(page).click();
  await expect(email(page)).toHaveAccessibleDescription('Email is required');
  await expect(email(page)).toBeFocused();
  await expect(password(page)).toHaveAccessibleDescription('Password is required');
  for (const wrong of ['jane', 'jane doe@example.com']) {
    await signInAs(page, { email: wrong, password: '12345' });
    await expect(email(page)).toHaveAccessibleDescription('Invalid email address');
  }
  await expect(password(page)).toHaveAccessibleDescription('Password must be at least 6 characters');
  await signInAs(page, { email: 'jane@example.com', password: '12345' });
  await expect(password(page)).toBeFocused();
  expect(calls).toHaveLength(0);

  const toggle = page.getByRole('button', { name: 'Show password' });
  await expect(password(page)).toHaveAttribute('type', 'password');
  await toggle.click();
  await expect(password(page)).toHaveAttribute('type', 'text');
  await expect(toggle).toHaveAttribute('aria-pressed', 'true');
  await expect(password(page)).toHaveValue('12345');
  await toggle.click();
  await expect(password(page)).toHaveAttribute('type', 'password');
});

test('a sign-in is sent once, with a spinner, and stores the session', async ({ page, staff }) => {
  const calls = recordCalls(page, 'POST', login);
  const { release } = await holdCalls(page, login);
  await page.goto('/login');
  await email(page).fill(staff.email);
  await password(page).fill(staff.password);
  const spinner = button(page).locator('[aria-hidden=true]');
  await expect(spinner).toHaveCount(0);
  await button(page).dblclick();
  await expect(spinner).toBeVisible();
  await expect(button(page)).toHaveAttribute('aria-disabled', 'true');
  release();
  await expect(page).toHaveURL('/dashboard');
  expect(calls.map((call) => call.postDataJSON())).toEqual([
    { email: staff.email, password: staff.password },
  ]);
  const headers = await calls[0]?.allHeaders();
  expect(headers?.['content-type']).toBe('application/json');
  expect(headers).not.toHaveProperty('authorization');
  expect(headers).not.toHaveProperty('x-internal-access');
  const { local, session } = await kept(page);
  expect(Object.keys(local).sort()).toEqual(['authToken', 'user']);
  expect(JSON.parse(local.user ?? '')).toEqual(staff.user);
  expect(session).not.toHaveProperty('mfa_token');
});

test('a failed sign-in says why and keeps the input', async ({ page, staff }) => {
  const calls = recordCalls(page, 'POST', login);
  await page.goto('/login');
  const alert = page.getByRole('alert');
  await signInAs(page, { email: 'unknown@example.com', password: '123456' });
  await expect(alert).toHaveText('Invalid email or password');
  await expect(page).toHaveURL('/login');
  await expect(email(page)).toHaveValue('unknown@example.com');
  expect((await kept(page)).local).not.toHaveProperty('authToken');
  const { restore } = await answerCalls(page, 'POST', login, failure);
  await signInAs(page, staff);
  await expect(alert).toHaveText('Login failed. Please try again.');
  await restore();
  await page.context().setOffline(true);
  await button(page).click();
  await expect.poll(() => calls.length).toBe(3);
  await expect(alert).toHaveText('Login failed. Please try again.');
  await page.context().setOffline(false);
  await button(page).click();
  await expect(page).toHaveURL('/dashboard');
  expect(calls).toHaveLength(4);
});

test('the keyboard alone is enough, also without an answer about the setup', async ({ page, staff }) => {
  const asked = recordCalls(page, 'GET', '/api/auth/setup');
  await answerCalls(page, 'GET', '/api/auth/setup', failure);
  await page.goto('/login');
  await expect.poll(() => asked.length).toBe(2);
  await expect(email(page)).toBeFocused();
  await page.keyboard.type(staff.email);
  await page.keyboard.press('Tab');
  await expect(password(page)).toBeFocused();
  await page.keyboard.type(staff.password);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Show password' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(button(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard');
  expect(asked).toHaveLength(2);
});

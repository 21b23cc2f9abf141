import { uniqueEmail } from './support/api.ts';
import { answerCalls, failure, holdCalls, recordCalls } from './support/calls.ts';
import { kept, signInAs } from './support/session.ts';
import { expect, failedCall, test } from './support/test.ts';

test.use({ ownAccounts: true });

const login = '/api/auth/login';

test('signing in stores token and user, and opens the dashboard', async ({ page, staff }) => {
  const calls = recordCalls(page, 'POST', login);
  await page.goto('/login');
  await expect(page).toHaveTitle('Sign in to your account · Customer Database');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account');
  await signInAs(page, staff);
  await expect(page).toHaveURL('/dashboard');
  const { local, session } = await kept(page);
  expect(Object.keys(local).sort()).toEqual(['authToken', 'user']);
  expect(JSON.parse(local.user ?? '')).toEqual(staff.user);
  expect(session).not.toHaveProperty('mfa_token');
  expect(calls.map((call) => call.postDataJSON())).toEqual([
    { email: staff.email, password: staff.password },
  ]);
});

test('a sign-in carries JSON, no token and no internal-access header', async ({ page, staff }) => {
  const calls = recordCalls(page, 'POST', login);
  await page.goto('/login');
  await signInAs(page, staff);
  await expect(page).toHaveURL('/dashboard');
  const headers = await calls[0]?.allHeaders();
  expect(headers?.['content-type']).toBe('application/json');
  expect(headers).not.toHaveProperty('authorization');
  expect(headers).not.toHaveProperty('x-internal-access');
});

test('email and password are required', async ({ page }) => {
  const calls = recordCalls(page, 'POST', login);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Email is required');
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
    'Password is required',
  );
  expect(calls).toHaveLength(0);
});

test('the email must look like one and the password have 6 characters', async ({ page }) => {
  const calls = recordCalls(page, 'POST', login);
  await page.goto('/login');
  const password = page.getByLabel('Password', { exact: true });
  for (const email of ['jane', 'jane@', 'jane@example', '@example.com', 'jane doe@example.com']) {
    await signInAs(page, { email, password: '12345' });
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Invalid email address');
  }
  await expect(password).toHaveAccessibleDescription('Password must be at least 6 characters');
  await signInAs(page, { email: 'jane@example.com', password: '12345' });
  await expect(password).toBeFocused();
  expect(calls).toHaveLength(0);
});

test('six characters are enough for the form, and the server decides', async ({ page, expectConsole }) => {
  expectConsole(failedCall);
  await page.goto('/login');
  await signInAs(page, { email: uniqueEmail('nobody'), password: '123456' });
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password');
});

test('a failed sign-in shows the message of the server and keeps the input', async ({
  page,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await page.goto('/login');
  await signInAs(page, { email: staff.email, password: 'not the password' });
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password');
  await expect(page).toHaveURL('/login');
  await expect(page.getByLabel('Email')).toHaveValue(staff.email);
  expect((await kept(page)).local).not.toHaveProperty('authToken');
  await signInAs(page, staff);
  await expect(page).toHaveURL('/dashboard');
});

test('a failure without a message shows Login failed', async ({ page, staff, expectConsole }) => {
  expectConsole(failedCall);
  await page.goto('/login');
  const { restore } = await answerCalls(page, 'POST', login, failure);
  await signInAs(page, staff);
  await expect(page.getByRole('alert')).toHaveText('Login failed. Please try again.');
  await restore();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/dashboard');
});

test('offline, a sign-in fails with a message and is sent once', async ({ page, staff, expectConsole }) => {
  expectConsole(failedCall);
  const calls = recordCalls(page, 'POST', login);
  await page.goto('/login');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.context().setOffline(true);
  await signInAs(page, staff);
  await expect(page.getByRole('alert')).toHaveText('Login failed. Please try again.');
  expect(calls).toHaveLength(1);
});

test('too many failures are throttled, with the message of the server', async ({ page, expectConsole }) => {
  expectConsole(failedCall);
  await page.goto('/login');
  const email = uniqueEmail('guessed');
  let status = 401;
  while (status === 401) {
    const answer = page.waitForResponse('**/api/auth/login');
    await signInAs(page, { email, password: 'a guess' });
    status = (await answer).status();
  }
  await expect(page.getByRole('alert')).toHaveText(
    /^Too many attempts\. Please try again in (1 second|\d+ seconds)\.$/,
  );
});

test('the password can be shown and hidden', async ({ page }) => {
  await page.goto('/login');
  const password = page.getByLabel('Password', { exact: true });
  const toggle = page.getByRole('button', { name: 'Show password' });
  await password.fill('correct horse');
  await expect(password).toHaveAttribute('type', 'password');
  await toggle.click();
  await expect(password).toHaveAttribute('type', 'text');
  await expect(toggle).toHaveAttribute('aria-pressed', 'true');
  await expect(password).toHaveValue('correct horse');
  await toggle.click();
  await expect(password).toHaveAttribute('type', 'password');
});

test('the button spins while the sign-in is under way', async ({ page, staff }) => {
  await page.goto('/login');
  const button = page.getByRole('button', { name: 'Sign in' });
  const spinner = button.locator('[aria-hidden=true]');
  await expect(spinner).toHaveCount(0);
  const { release } = await holdCalls(page, login);
  await signInAs(page, staff);
  await expect(spinner).toBeVisible();
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  release();
  await expect(page).toHaveURL('/dashboard');
});

test('a double click signs in once', async ({ page, staff }) => {
  const calls = recordCalls(page, 'POST', login);
  await page.goto('/login');
  await page.getByLabel('Email').fill(staff.email);
  await page.getByLabel('Password', { exact: true }).fill(staff.password);
  await page.getByRole('button', { name: 'Sign in' }).dblclick();
  await expect(page).toHaveURL('/dashboard');
  expect(calls).toHaveLength(1);
});

test('the keyboard alone is enough to sign in', async ({ page, staff }) => {
  await page.goto('/login');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.type(staff.email);
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type(staff.password);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Show password' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard');
});

test('Enter in the password field signs in', async ({ page, staff }) => {
  await page.goto('/login');
  await page.getByLabel('Email').fill(staff.email);
  await page.getByLabel('Password', { exact: true }).fill(staff.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard');
});

test('the check for an administrator is sent at most twice, and the form works without it', async ({
  page,
  staff,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const asked = recordCalls(page, 'GET', '/api/auth/setup');
  await answerCalls(page, 'GET', '/api/auth/setup', failure);
  await page.goto('/login');
  await expect.poll(() => asked.length).toBe(2);
  await signInAs(page, staff);
  await expect(page).toHaveURL('/dashboard');
  expect(asked).toHaveLength(2);
});

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { SignedIn } from './support/api.ts';
import { Authenticator, enableMfa } from './support/authenticator.ts';
import { answerCalls, failure, recordCalls } from './support/calls.ts';
import { kept, signInAs } from './support/session.ts';
import { expect, test } from './support/test.ts';

test.use({ ownAccounts: true, callsMayFail: true });

const verify = '/api/auth/mfa/verify-login';
const prompt = (page: Page) => page.getByLabel('Enter your MFA code', { exact: true });

async function reachPrompt(page: Page, user: SignedIn): Promise<void> {
  await signInAs(page, user);
  await expect(prompt(page)).toBeFocused();
}

async function sendCode(page: Page, code: string): Promise<void> {
  await prompt(page).fill(code);
  await page.getByRole('button', { name: 'Verify' }).click();
}

test('a sign-in asks for a code, and accepts one of the app or a recovery code', async ({
  page,
  server,
  staff,
}) => {
  const { app, recoveryCodes } = await enableMfa(server.url, staff);
  await page.goto('/login');
  await reachPrompt(page, staff);
  expect((await kept(page)).local).not.toHaveProperty('authToken');
  const alert = page.getByRole('alert');
  for (const blank of ['', '   ']) {
    await sendCode(page, blank);
    await expect(page.getByRole('button', { name: 'Verify' })).toBeEnabled();
    await expect(alert).toHaveCount(0);
  }
  for (const [answer, text] of [
    [{ status: 401, body: { error: 'That code is not right' } }, 'That code is not right'],
    [failure, 'Invalid MFA code'],
  ] as const) {
    const { restore } = await answerCalls(page, 'POST', verify, answer);
    await sendCode(page, '123456');
    await expect(alert).toHaveText(text);
    await restore();
  }
  await sendCode(page, app.wrongCode());
  await expect(alert).toHaveText('Invalid MFA code');
  await sendCode(page, recoveryCodes[0] ?? '');
  await expect(page).toHaveURL('/dashboard');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await reachPrompt(page, staff);
  await page.evaluate(() => sessionStorage.setItem('mfa_token', 'an-expired-challenge'));
  await sendCode(page, recoveryCodes[1] ?? '');
  await expect(alert).toHaveText('This sign-in has expired. Please sign in again.');
  await expect(page.getByLabel('Email')).toHaveValue(staff.email);

  await reachPrompt(page, staff);
  const waiting = await kept(page);
  const calls = recordCalls(page, 'POST', verify);
  const code = await app.nextCode();
  await sendCode(page, code);
  await expect(page).toHaveURL('/dashboard');
  expect(calls.map((call) => call.postDataJSON())).toEqual([{ mfa_token: waiting.session.mfa_token, code }]);
  const after = await kept(page);
  expect(after.session).not.toHaveProperty('mfa_token');
  expect(Object.keys(after.local).sort()).toEqual(['authToken', 'user']);
  expect(JSON.parse(after.local.user ?? '')).toMatchObject({ email: staff.email, mfa_enabled: true });
});

test('MFA is set up, gives recovery codes, and is turned off again', async ({ staffPage: page, staff }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', 'yes');
  });
  await page.goto('/profile');
  const setUp = page.getByRole('button', { name: 'Set up MFA' });
  const { restore } = await answerCalls(page, 'POST', '/api/auth/mfa/setup/start', failure);
  await setUp.click();
  await expect(page.getByRole('alert')).toHaveText('Failed to start the MFA setup');
  await restore();
  await setUp.click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(setUp).toBeFocused();
  await setUp.click();
  const picture = page.getByRole('img', { name: 'QR code for your authenticator app' });
  await expect(picture).toHaveAttribute('src', /^data:image\/png;base64,/);
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  const secret = (await page.getByRole('code').textContent()) ?? '';
  expect(secret).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  const app = new Authenticator(secret);
  const code = page.getByLabel('MFA code');
  const turnOn = page.getByRole('button', { name: 'Turn on MFA' });
  await expect(code).toBeFocused();
  await turnOn.click();
  await expect(code).toHaveAccessibleDescription('MFA code is required');
  await code.fill(app.wrongCode());
  await turnOn.click();
  await expect(code).toHaveAccessibleDescription('Invalid MFA code');
  await code.fill(await app.nextCode());
  await turnOn.click();

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your recovery codes');
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await expect(list.getByRole('listitem')).toHaveCount(10);
  const codes = await list.getByRole('listitem').allTextContents();
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'));
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe('recovery-codes.txt');
  const lines = (await readFile(await file.path(), 'utf8')).split('\n');
  expect(lines).toEqual(expect.arrayContaining(codes));
  await page.getByRole('button', { name: 'Print' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-printed', 'yes');
  await page.emulateMedia({ media: 'print' });
  await expect(list).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('link', { name: 'All Customers', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click();
  const done = page.getByRole('button', { name: 'Done' });
  await expect(done).toBeDisabled();
  await page.getByLabel('I have saved these codes').check();
  await done.click();
  await expect(page.getByText('MFA is on.')).toBeVisible();
  await expect(page.getByText(codes[0] ?? 'no code')).toHaveCount(0);

  await page.getByRole('button', { name: 'Turn off MFA' }).click();
  const password = page.getByLabel('Password', { exact: true });
  const turnOff = page.getByRole('button', { name: 'Turn off', exact: true });
  await turnOff.click();
  await expect(password).toHaveAccessibleDescription('Password is required');
  await expect(code).toHaveAccessibleDescription(/MFA code is required/);
  await password.fill('not the password');
  await code.fill(app.wrongCode());
  await turnOff.click();
  await expect(password).toHaveAccessibleDescription('The password is not correct');
  await password.fill(staff.password);
  await turnOff.click();
  await expect(code).toHaveAccessibleDescription(/Invalid MFA code/);
  await code.fill(codes[0] ?? '');
  await turnOff.click();
  await expect(page.getByText('MFA disabled successfully')).toBeVisible();
  await expect(setUp).toBeFocused();
});

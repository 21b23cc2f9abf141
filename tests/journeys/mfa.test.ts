import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { type SignedIn, send } from './support/api.ts';
import { Authenticator, enableMfa } from './support/authenticator.ts';
import { answerCalls, failure, recordCalls } from './support/calls.ts';
import { kept, signInAs } from './support/session.ts';
import { expect, failedCall, test } from './support/test.ts';

test.use({ ownAccounts: true });

const verify = '/api/auth/mfa/verify-login';
const prompt = (page: Page) => page.getByLabel('Enter your MFA code', { exact: true });

/** Signs in with the password and waits for the question for the code. */
async function reachPrompt(page: Page, user: SignedIn): Promise<void> {
  await page.goto('/login');
  await signInAs(page, user);
  await expect(prompt(page)).toBeFocused();
}

async function sendCode(page: Page, code: string): Promise<void> {
  await prompt(page).fill(code);
  await page.getByRole('button', { name: 'Verify' }).click();
}

test.describe('signing in with MFA', () => {
  test('asks for the code and verifies it with the stored token', async ({ page, server, staff }) => {
    const { app } = await enableMfa(server.url, staff);
    const calls = recordCalls(page, 'POST', verify);
    await reachPrompt(page, staff);
    const waiting = await kept(page);
    expect(waiting.local).not.toHaveProperty('authToken');
    expect(Object.keys(waiting.session)).toContain('mfa_token');
    const code = await app.nextCode();
    await sendCode(page, code);
    await expect(page).toHaveURL('/dashboard');
    expect(calls.map((call) => call.postDataJSON())).toEqual([
      { mfa_token: waiting.session.mfa_token, code },
    ]);
    const after = await kept(page);
    expect(after.session).not.toHaveProperty('mfa_token');
    expect(Object.keys(after.local).sort()).toEqual(['authToken', 'user']);
    expect(JSON.parse(after.local.user ?? '')).toMatchObject({ email: staff.email, mfa_enabled: true });
  });

  test('sends nothing without a code, and signs in with one', async ({ page, server, staff }) => {
    const { app } = await enableMfa(server.url, staff);
    const calls = recordCalls(page, 'POST', verify);
    await reachPrompt(page, staff);
    for (const empty of ['', '   ']) {
      await prompt(page).fill(empty);
      await page.getByRole('button', { name: 'Verify' }).click();
      await expect(page.getByRole('button', { name: 'Verify' })).toBeEnabled();
      await expect(prompt(page)).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
    }
    expect(calls).toHaveLength(0);
    await sendCode(page, await app.nextCode());
    await expect(page).toHaveURL('/dashboard');
    expect(calls).toHaveLength(1);
  });

  test('a wrong code shows the message of the server, and the right one still works', async ({
    page,
    server,
    staff,
    expectConsole,
  }) => {
    expectConsole(failedCall);
    const { app } = await enableMfa(server.url, staff);
    await reachPrompt(page, staff);
    await answerCalls(page, 'POST', verify, { status: 401, body: { error: 'That code is not right' } });
    await sendCode(page, app.wrongCode());
    await expect(page.getByRole('alert')).toHaveText('That code is not right');
    await page.unrouteAll();
    await sendCode(page, app.wrongCode());
    await expect(page.getByRole('alert')).toHaveText('Invalid MFA code');
    await expect(page).toHaveURL('/login');
    await sendCode(page, await app.nextCode());
    await expect(page).toHaveURL('/dashboard');
  });

  test('a failure without a message shows Invalid MFA code', async ({
    page,
    server,
    staff,
    expectConsole,
  }) => {
    expectConsole(failedCall);
    await enableMfa(server.url, staff);
    await reachPrompt(page, staff);
    await answerCalls(page, 'POST', verify, failure);
    await sendCode(page, '123456');
    await expect(page.getByRole('alert')).toHaveText('Invalid MFA code');
  });

  test('a recovery code works in place of a code, once', async ({ page, server, staff, expectConsole }) => {
    expectConsole(failedCall);
    const { recoveryCodes } = await enableMfa(server.url, staff);
    const [code = ''] = recoveryCodes;
    await reachPrompt(page, staff);
    await sendCode(page, code);
    await expect(page).toHaveURL('/dashboard');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signInAs(page, staff);
    await sendCode(page, code);
    await expect(page.getByRole('alert')).toHaveText('Invalid MFA code');
  });

  test('a sign-in that took too long starts over, and says why', async ({
    page,
    server,
    staff,
    expectConsole,
  }) => {
    expectConsole(failedCall);
    const { app } = await enableMfa(server.url, staff);
    await reachPrompt(page, staff);
    await page.evaluate(() => sessionStorage.setItem('mfa_token', 'not-a-challenge-any-more'));
    await sendCode(page, await app.nextCode());
    await expect(page.getByRole('alert')).toHaveText('This sign-in has expired. Please sign in again.');
    await expect(page.getByLabel('Email')).toHaveValue(staff.email);
  });
});

test.describe('on the profile screen', () => {
  test('MFA is set up by scanning or typing a key, and confirmed by a code', async ({
    staffPage: page,
    server,
    staff,
    expectConsole,
  }) => {
    expectConsole(failedCall);
    await page.goto('/profile');
    await page.getByRole('button', { name: 'Set up MFA' }).click();
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
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await expect(codes).toHaveCount(10);
    const signedIn = await send(server.url, 'POST', '/api/auth/login', undefined, {
      email: staff.email,
      password: staff.password,
    });
    expect(signedIn.body).toMatchObject({ mfa_required: true });
  });

  test('a cancelled setup leaves MFA off', async ({ staffPage: page, server, staff }) => {
    await page.goto('/profile');
    const start = page.getByRole('button', { name: 'Set up MFA' });
    await start.click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(start).toBeFocused();
    const { body } = await send(server.url, 'GET', '/api/auth/verify', staff.token);
    expect(body.user.mfa_enabled).toBe(false);
  });

  test('the recovery codes can be copied, downloaded and printed, and are not left by accident', async ({
    staffPage: page,
  }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.addInitScript(() => {
      window.print = () => document.documentElement.setAttribute('data-printed', 'yes');
    });
    await page.goto('/profile');
    await page.getByRole('button', { name: 'Set up MFA' }).click();
    const app = new Authenticator((await page.getByRole('code').textContent()) ?? '');
    await page.getByLabel('MFA code').fill(await app.nextCode());
    await page.getByRole('button', { name: 'Turn on MFA' }).click();
    const list = page.getByRole('list', { name: 'Recovery codes' });
    await expect(list).toBeVisible();
    const codes = await list.getByRole('listitem').allTextContents();

    await page.getByRole('button', { name: 'Copy' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'));

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toBe('recovery-codes.txt');
    const text = await readFile(await file.path(), 'utf8');
    for (const code of codes) expect(text.split('\n')).toContain(code);

    await page.getByRole('button', { name: 'Print' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-printed', 'yes');
    await page.emulateMedia({ media: 'print' });
    await expect(list).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeHidden();
    await page.emulateMedia({ media: 'screen' });

    await page.getByRole('link', { name: 'All Customers', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click();
    await expect(list).toBeVisible();
    const done = page.getByRole('button', { name: 'Done' });
    await expect(done).toBeDisabled();
    await page.getByLabel('I have saved these codes').check();
    await done.click();
    await expect(page.getByText('MFA is on.')).toBeVisible();
    await expect(page.getByText(codes[0] ?? 'no code')).toHaveCount(0);
  });

  test('MFA is turned off by password and code', async ({
    server,
    staff,
    staffPage: page,
    expectConsole,
  }) => {
    expectConsole(failedCall);
    const { app } = await enableMfa(server.url, staff);
    await page.goto('/profile');
    await page.getByRole('button', { name: 'Turn off MFA' }).click();
    const password = page.getByLabel('Password', { exact: true });
    const code = page.getByLabel('MFA code');
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
    await code.fill(await app.nextCode());
    await turnOff.click();
    await expect(page.getByText('MFA disabled successfully')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Set up MFA' })).toBeFocused();
    const { body } = await send(server.url, 'GET', '/api/auth/verify', staff.token);
    expect(body.user.mfa_enabled).toBe(false);
  });
});

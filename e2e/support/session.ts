import { expect, type Page } from '@playwright/test';
import { type Account, send } from './api.ts';

/** Waits for the sign-in screen (others have a field for an email too), fills in its form and sends it. */
export async function signInAs(page: Page, { email, password }: Account): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** What the browser keeps. */
export function kept(page: Page) {
  return page.evaluate(() => ({ local: { ...localStorage }, session: { ...sessionStorage } }));
}

/** Ends a session on the server; this page does not know yet, and no call is under way that would tell it. */
export async function endOnServer(page: Page, url: string, token: string): Promise<void> {
  for (const request of await page.requests()) await request.response();
  expect((await send(url, 'POST', '/api/auth/logout', token)).status).toBe(200);
}

/** The sign-in screen without a text, and nothing of the session left. */
export async function expectSignedOut(page: Page): Promise<void> {
  await expect(page).toHaveURL(({ pathname }) => pathname === '/login');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account');
  await expect(page.getByRole('alert')).toHaveCount(0);
  // What one tab removes is gone in the others a moment later.
  const left = async () => Object.keys((await kept(page)).local);
  await expect.poll(left).not.toEqual(expect.arrayContaining(['authToken']));
  await expect.poll(left).not.toEqual(expect.arrayContaining(['user']));
}

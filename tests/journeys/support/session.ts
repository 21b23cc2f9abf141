import { expect, type Page } from '@playwright/test';
import { type Account, send } from './api.ts';

/** Waits for the sign-in screen (others have an email field too), fills in its form and submits it. */
export async function signInAs(page: Page, { email, password }: Account): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** The contents of local and session storage. */
export function kept(page: Page) {
  return page.evaluate(() => ({ local: { ...localStorage }, session: { ...sessionStorage } }));
}

/** Ends a session on the server, while the page has no pending request that would notice. */
export async function endOnServer(page: Page, url: string, token: string): Promise<void> {
  for (const request of await page.requests()) await request.response();
  expect((await send(url, 'POST', '/api/auth/logout', token)).status).toBe(200);
}

/** The sign-in screen without a message, and no session in storage. */
export async function expectSignedOut(page: Page): Promise<void> {
  await expect(page).toHaveURL(({ pathname }) => pathname === '/login');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account');
  await expect(page.getByRole('alert')).toHaveCount(0);
  // Other tabs see a removal a moment later.
  const left = async () => Object.keys((await kept(page)).local);
  await expect.poll(left).not.toEqual(expect.arrayContaining(['authToken']));
  await expect.poll(left).not.toEqual(expect.arrayContaining(['user']));
}

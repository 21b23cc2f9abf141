import { send } from './support/api.ts';
import { answerCalls } from './support/calls.ts';
import { expect, test } from './support/test.ts';

test.use({ ownAccounts: true, callsMayFail: true });

const busy = { status: 503, body: { error: 'Not right now' } };

test('a token is created, shown once, used by a program and revoked', async ({ adminPage: page, server }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Make a token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make a token' });
  await dialog.getByRole('button', { name: 'Make token' }).click();
  await expect(dialog.getByText('Name is required')).toBeVisible();
  await dialog.getByLabel('Name').fill('Nightly export');
  const { restore } = await answerCalls(page, 'POST', '/api/auth/tokens', busy);
  await dialog.getByRole('button', { name: 'Make token' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(busy.body.error);
  await expect(dialog.getByLabel('Name')).toHaveValue('Nightly export');
  await restore();
  await dialog.getByLabel('What it may do').selectOption('write');
  await dialog.getByLabel('Expires after').selectOption('30 days');
  await dialog.getByRole('button', { name: 'Make token' }).click();
  const made = page.getByRole('dialog', { name: 'Your new token' });
  const token = await made.getByLabel('Token').innerText();
  expect(token).toMatch(/^cdb_[\w-]{43}$/);
  await page.keyboard.press('Escape');
  await made.getByRole('button', { name: 'Copy' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  await made.getByRole('button', { name: 'Done' }).click();
  const tokens = page.getByRole('list', { name: 'API tokens' }).getByRole('listitem');
  await expect(tokens).toHaveText([/Nightly export.*Write.*expires .* · never used/]);

  expect((await send(server.url, 'GET', '/api/customers', token)).status).toBe(200);
  await page.reload();
  await expect(tokens).toHaveText([/last used .* from 127\.0\.0\.1/]);
  await expect(page.getByText(token)).toHaveCount(0);
  await page.getByRole('button', { name: 'Revoke Nightly export' }).click();
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await expect(page.getByText('Token revoked successfully')).toBeVisible();
  await expect(tokens).toHaveCount(0);
  expect((await send(server.url, 'GET', '/api/customers', token)).status).toBe(401);
});

test('a change of password can revoke the tokens', async ({ staffPage: page, server, staff }) => {
  const revokes = page.getByLabel('Also revoke my API tokens');
  await page.goto('/change-password', { waitUntil: 'networkidle' });
  await expect(revokes).toHaveCount(0);
  const made = await send(server.url, 'POST', '/api/auth/tokens', staff.token, { name: 'X', scope: 'read' });
  const elsewhere = { email: staff.email, password: staff.password };
  await send(server.url, 'POST', '/api/auth/login', undefined, elsewhere);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Make a token' }).click();
  const scopes = page.getByRole('dialog').getByLabel('What it may do').getByRole('option');
  await expect(scopes).toHaveText([/^Read: /]);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(revokes).toHaveCount(1);
  await page.getByLabel('Email').fill('another@example.com');
  await expect(revokes).toHaveCount(2);
  await page.getByLabel('Email').fill(staff.email);
  await page.getByRole('button', { name: 'End all other sessions' }).click();
  await expect(page.getByText('Signed out everywhere else')).toBeVisible();
  expect((await send(server.url, 'GET', '/api/customers', made.body.token)).status).toBe(200);
  await page.getByRole('link', { name: 'Change password' }).click();
  await page.getByLabel('Current password', { exact: true }).fill(staff.password);
  await page.getByLabel('New password', { exact: true }).fill('a completely new password');
  await page.getByLabel('Confirm new password', { exact: true }).fill('a completely new password');
  await revokes.check();
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed successfully')).toBeVisible();
  expect((await send(server.url, 'GET', '/api/customers', made.body.token)).status).toBe(401);
  await expect(page.getByRole('list', { name: 'API tokens' }).getByRole('listitem')).toHaveCount(0);
});

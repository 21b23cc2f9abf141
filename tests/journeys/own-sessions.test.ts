import { Api } from './support/api.ts';
import { expectSignedOut } from './support/session.ts';
import { expect, test } from './support/test.ts';

test.use({ ownAccounts: true, callsMayFail: true });

test('the profile lists the sessions, and ends one or all others', async ({
  staffPage: page,
  openAs,
  server,
  staff,
}) => {
  const [first, second] = [await Api.signIn(server.url, staff), await Api.signIn(server.url, staff)];
  const other = await openAs(second);
  await other.goto('/customers', { waitUntil: 'networkidle' });
  await page.goto('/profile');
  const sessions = page.getByRole('listitem').filter({ hasText: '127.0.0.1' });
  const current = sessions.filter({ hasText: 'This device' });
  await expect(current).toContainText(/signed in .* · last used/);
  await expect(current.getByRole('button')).toHaveCount(0);
  await expect(sessions).toHaveCount(3);
  // This one, then the newest.
  const end = sessions.nth(1).getByRole('button', { name: /^End session of / });
  await end.click();
  await expect(page.getByText('Session ended')).toBeVisible();
  await expect(sessions).toHaveCount(2);
  await other.getByRole('link', { name: 'All Documents', exact: true }).click();
  await expectSignedOut(other);
  const endAll = page.getByRole('button', { name: 'End all other sessions' });
  await endAll.click();
  await expect(page.getByText('Signed out everywhere else', { exact: true })).toBeVisible();
  await expect(sessions).toHaveCount(1);
  await expect(endAll).toHaveCount(0);
  const third = await openAs(first);
  await third.goto('/profile');
  await expectSignedOut(third);
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
});

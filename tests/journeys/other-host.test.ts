import { expect } from '@playwright/test';
import { Api, makePdf, send } from './support/api.ts';
import { enableMfa } from './support/authenticator.ts';
import { recordCalls } from './support/calls.ts';
import { findFreePort, servePagesElsewhere } from './support/other-host.ts';
import { firstAdmin, startServer } from './support/server.ts';
import { kept, signInAs } from './support/session.ts';
import { test } from './support/test.ts';
import { makeDocument, pdfPage } from './support/viewer.ts';

const secret = '5f0c1b7a94d24e3f8a61';

test('pages built for another host call it, sign in with the internal-access secret, and sign out', async ({
  context,
}) => {
  const port = await findFreePort();
  const pages = `http://127.0.0.1:${port}`;
  const server = await startServer({ CORS_ORIGINS: pages, INTERNAL_ACCESS_SECRET: secret });
  const elsewhere = await servePagesElsewhere(port, {
    VITE_API_URL: `${server.url}/`,
    VITE_INTERNAL_ACCESS_SECRET: secret,
  });
  try {
    expect((await send(server.url, 'POST', '/api/auth/login', undefined, firstAdmin)).status).toBe(403);
    const page = await context.newPage();
    const withHeader: string[] = [];
    page.on('request', (request) => {
      if (request.headers()['x-internal-access'] === secret) withHeader.push(new URL(request.url()).pathname);
    });
    await page.goto(`${pages}/login`);
    await signInAs(page, firstAdmin);
    await expect(page).toHaveURL(`${pages}/dashboard`);
    await expect(page.getByText('Connected')).toHaveCount(2);
    expect(withHeader).toEqual(['/api/auth/login']);
    const token = (await kept(page)).local.authToken ?? '';
    const api = new Api(server.url, token);
    const document = await makeDocument(api, 'far.pdf', makePdf('Far away'));
    await page.goto(`${pages}/documents/${document.id}`);
    await expect(pdfPage(page, 1).locator('.textLayer')).toContainText('Far away');
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'View in Browser' }).click();
    const tab = await opened;
    await expect(tab).toHaveURL(
      new RegExp(`^${server.url}/api/documents/${document.id}/content\\?purpose=view`),
    );
    await expect(pdfPage(tab, 1).locator('.textLayer')).toContainText('Far away');
    await tab.close();
    const { app } = await enableMfa(server.url, { token });
    const signOuts = recordCalls(page, 'POST', '/api/auth/logout');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(`${pages}/login`);
    expect((await signOuts[0]?.response())?.status()).toBe(200);
    await signInAs(page, firstAdmin);
    await page.getByLabel('Enter your MFA code', { exact: true }).fill(await app.nextCode());
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${pages}/dashboard`);
    expect(withHeader.slice(1)).toEqual(['/api/auth/login', '/api/auth/mfa/verify-login']);
    // The page prefetches screens while idle, and its host is about to stop.
    await page.close();
  } finally {
    await elsewhere.stop();
    await server.stop();
  }
});

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@customer-database/testkit/ports';
import { expect } from '@playwright/test';
import { Api, makePdf } from './support/api.ts';
import { enableMfa } from './support/authenticator.ts';
import { recordCalls } from './support/calls.ts';
import { firstAdmin, startServer } from './support/server.ts';
import { kept, signInAs } from './support/session.ts';
import { test } from './support/test.ts';
import { makeDocument, pdfPage } from './support/viewer.ts';

const root = join(import.meta.dirname, '..', '..');
const secret = '5f0c1b7a94d24e3f8a61';

/** Builds the pages with these settings and serves them from this port, without our server. */
async function servePages(port: number, settings: Record<string, string>) {
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', ...settings };
  const vite = (command: string, ...args: string[]) => {
    const folder = test.info().outputPath('pages');
    const path = join(root, 'node_modules', '.bin', 'vite');
    return [process.execPath, [path, command, join(root, 'web'), '--outDir', folder, ...args]] as const;
  };
  await promisify(execFile)(...vite('build'), { cwd: root, env });
  const server = spawn(...vite('preview', '--host', '127.0.0.1', '--port', `${port}`, '--strictPort'), {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(server.stdout, 'data');
  return server;
}

test('pages built for another host call it with the access secret', async ({ context }) => {
  const port = await freePort();
  const pages = `http://127.0.0.1:${port}`;
  const server = await startServer({ CORS_ORIGINS: pages, INTERNAL_ACCESS_SECRET: secret });
  const host = await servePages(port, {
    VITE_API_URL: `${server.url}/`,
    VITE_INTERNAL_ACCESS_SECRET: secret,
  });
  try {
    const page = await context.newPage();
    const withHeader: string[] = [];
    page.on('request', (request) => {
      if (request.headers()['x-internal-access'] === secret) withHeader.push(new URL(request.url()).pathname);
    });
    await page.goto(`${pages}/login`);
    await signInAs(page, firstAdmin);
    await expect(page).toHaveURL(`${pages}/dashboard`);
    await expect(page.getByText('Connected')).toHaveCount(2);
    const token = (await kept(page)).local.authToken ?? '';
    const document = await makeDocument(new Api(server.url, token), 'far.pdf', makePdf('Far away'));
    await page.goto(`${pages}/documents/${document.id}`);
    await expect(pdfPage(page, 1).locator('.textLayer')).toContainText('Far away');
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'View in Browser' }).click();
    const tab = await opened;
    const content = `^${server.url}/api/documents/${document.id}/content\\?purpose=view`;
    await expect(tab).toHaveURL(new RegExp(content));
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
    expect(withHeader).toEqual(['/api/auth/login', '/api/auth/login', '/api/auth/mfa/verify-login']);
    // The page prefetches screens while idle, and its host is about to stop.
    await page.close();
  } finally {
    host.kill('SIGTERM');
    await server.stop();
  }
});

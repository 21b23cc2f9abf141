import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { hostileDocx, hostilePdf } from './support/hostile-files.ts';
import { expect, test } from './support/test.ts';
import { makeDocument, pdfPage, viewer, viewLink, wordFrame } from './support/viewer.ts';

/** The browser says what the content policy or the sandbox has stopped. */
const stopped = /Content Security Policy|Blocked script execution/;

type Listener = Awaited<ReturnType<typeof startListener>>;

/** Another origin, which must never be called. */
async function startListener() {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, heard, stop: () => server.close() };
}

/** What a document has set off: dialogs, tabs, and requests to other origins. */
function watch(page: Page, origin: string): string[] {
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (tab) => seen.push(`tab ${tab.url()}`));
  page.on('response', (response) => {
    const { origin: from, protocol } = new URL(response.url());
    if (protocol.startsWith('http') && from !== origin) seen.push(`response ${response.url()}`);
  });
  return seen;
}

/** What the document starts by itself has reached the network by now; and the listener does hear. */
async function expectSilence(page: Page, seen: string[], { url, heard, stop }: Listener): Promise<void> {
  await page.waitForLoadState('networkidle');
  expect([...seen, ...heard]).toEqual([]);
  await fetch(`${url}/heard`);
  expect(heard).toEqual(['GET /heard']);
  stop();
}

test('no script of a PDF runs; its links lead to the web only', async ({ staffPage: page, server, api }) => {
  const listener = await startListener();
  const seen = watch(page, server.url);
  const document = await makeDocument(api, 'hostile.pdf', hostilePdf(listener.url));
  for (const address of [`/documents/${document.id}`, await viewLink(api, document)]) {
    await page.goto(address);
    const shown = pdfPage(page, 1);
    await expect(shown.locator('.textLayer')).toContainText('Nothing happens here');
    await expect(shown.locator('.annotationLayer section')).not.toHaveCount(0);
    const harmless = shown.locator('a[href="https://example.com/harmless"]');
    await expect(harmless).toHaveAttribute('target', '_blank');
    await expect(harmless).toHaveAttribute('rel', 'noopener noreferrer nofollow');
    const hrefs = await shown
      .locator('a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    expect(hrefs.filter((href) => /^(?!https?:|#|$)/i.test(href))).toEqual([]);
    // What remains is clicked, except links to the web.
    for (const link of await shown.locator('a:not([href^="http"])').all()) await link.click({ force: true });
    await page.keyboard.press('Tab');
    await expect(viewer(page)).toBeVisible();
  }
  await expectSilence(page, seen, listener);
});

test('no script of a DOCX runs; nothing is loaded from elsewhere', async ({
  staffPage: page,
  server,
  api,
  expectConsole,
}) => {
  expectConsole(stopped);
  const listener = await startListener();
  const seen = watch(page, server.url);
  const document = await makeDocument(api, 'hostile.docx', hostileDocx(listener.url));
  for (const address of [`/documents/${document.id}`, await viewLink(api, document)]) {
    await page.goto(address);
    const body = wordFrame(page).locator('body');
    await expect(body).toContainText('Nothing happens here');
    await expect(body).toContainText('<img src=');
    await expect(body.locator('a', { hasText: 'Another host' })).toHaveAttribute(
      'title',
      `${listener.url}/link`,
    );
    await expect(body.locator('[href], script, iframe, object, embed')).toHaveCount(0);
    for (const name of ['A script', 'Another host']) await body.getByText(name).click();
    const frame = viewer(page).locator('iframe');
    await expect(frame).toHaveAttribute('sandbox', 'allow-same-origin');
    // Even a script that got into the frame would not run.
    await body.evaluate((element) => {
      const script = element.ownerDocument.createElement('script');
      script.textContent = 'parent.alert(1)';
      const image = element.ownerDocument.createElement('img');
      image.setAttribute('onerror', 'parent.alert(1)');
      image.src = 'data:image/png,broken';
      element.append(script, image);
    });
    expect(page.frames()).toHaveLength(2);
  }
  await expectSilence(page, seen, listener);
});

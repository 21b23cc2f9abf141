import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import { makePdf } from './support/api.ts';
import { expect, test } from './support/test.ts';
import { viewLink } from './support/viewer.ts';

test.use({ newTabs: true });

const maxScriptBytes = 180 * 1024;

/** The bytes on the wire, which `fetch` does not report. */
function gzippedSize(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, async (response) => {
      resolve((await buffer(response)).length);
    }).on('error', reject);
  });
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

test('the first load of /login takes at most 180 KB of gzipped JavaScript', async ({ page }) => {
  const scripts = new Set<string>();
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.add(response.url());
  });
  await page.goto('/login', { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account');
  expect(scripts.size).toBeGreaterThan(0);
  const sizes = await Promise.all([...scripts].map(gzippedSize));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(maxScriptBytes);
});

test('nothing on the main screens moves while they load', async ({ page, adminPage, api }) => {
  const { id } = await api.makeCustomer({
    phone_number: '+46 8 123 45 67',
    street_line: 'Storgatan 5',
    city: 'Uppsala',
    province: 'Uppland',
    country: 'Sverige',
  });
  const document = await api.makeDocument(id, { filename: 'paper.pdf', content: makePdf('Standing still') });
  const screens: [Page, string][] = [
    [page, '/login'],
    [adminPage, '/dashboard'],
    [adminPage, '/customers/all'],
    [adminPage, '/documents/all'],
    [adminPage, `/customers/${id}`],
    [adminPage, `/documents/${document.id}`],
    [adminPage, await viewLink(api, document)],
  ];
  for (const watched of [page, adminPage]) {
    await watched.addInitScript(() => {
      Object.assign(window, { shifted: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
          (window as unknown as { shifted: number }).shifted += entry.value;
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
  }
  for (const [watched, path] of screens) {
    await open(watched, path);
    await watched.waitForLoadState('networkidle');
    const shifted = await watched.evaluate(() => (window as unknown as { shifted: number }).shifted);
    expect(shifted, path).toBeLessThan(0.01);
  }
});

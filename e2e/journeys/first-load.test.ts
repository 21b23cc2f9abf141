import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import type { Api } from '../support/api.ts';
import { checkFits } from '../support/look.ts';
import { adminPaths, signedInPaths } from '../support/screens.ts';
import { expect, test } from '../support/test.ts';

test.use({ newTabs: true });

const mostScriptBytes = 180 * 1024;
const longName = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(6).slice(0, 200);

/** What goes over the wire, which `fetch` would not tell. */
function gzippedSize(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, async (response) => {
      resolve((await buffer(response)).length);
    }).on('error', reject);
  });
}

async function makeRecords(api: Api) {
  const customer = await api.makeCustomer({ name: longName, city: 'شركة النور للتجارة' });
  const document = await api.makeDocument(customer.id, { filename: `${'annual-report-'.repeat(15)}.txt` });
  return { customer: customer.id, document: document.id };
}

const everyPath = (ids: { customer: number; document: number }) => [
  ...signedInPaths(ids),
  ...adminPaths(ids),
  '/customers?name=wolfe',
  '/documents?filename=annual',
];

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
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(mostScriptBytes);
});

test('no screen calls another host or breaks the content policy', async ({ adminPage, server, api }) => {
  test.slow();
  const foreign: string[] = [];
  adminPage.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== server.url) foreign.push(request.url());
  });
  const violations: string[] = [];
  await adminPage.exposeFunction('reportViolation', (violation: string) => violations.push(violation));
  await adminPage.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      (window as unknown as { reportViolation: (text: string) => void }).reportViolation(
        `${violatedDirective} ${blockedURI}`,
      ),
    );
  });
  for (const path of ['/login', ...everyPath(await makeRecords(api))]) {
    const answer = adminPage.waitForResponse((response) => response.request().isNavigationRequest());
    await open(adminPage, path);
    const policy = (await (await answer).allHeaders())['content-security-policy'];
    expect(policy, path).toContain("default-src 'none'");
    expect(policy, path).toContain("script-src 'self';");
  }
  expect(foreign).toEqual([]);
  expect(violations).toEqual([]);
});

test('nothing on the main screens moves while they load', async ({ page, adminPage, api }) => {
  await makeRecords(api);
  const { id } = await api.makeCustomer({
    phone_number: '+46 8 123 45 67',
    street_line: 'Storgatan 5',
    city: 'Uppsala',
    province: 'Uppland',
    country: 'Sverige',
  });
  await api.makeDocument(id);
  const screens: [Page, string][] = [
    [page, '/login'],
    [adminPage, '/dashboard'],
    [adminPage, '/customers/all'],
    [adminPage, '/documents/all'],
    [adminPage, `/customers/${id}`],
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

test('at a zoom of 200 % every screen fits its width', async ({ page, openAs, admin, api }) => {
  test.slow();
  const zoomed = { width: 640, height: 450 };
  const adminPage = await openAs(admin);
  await page.setViewportSize(zoomed);
  await adminPage.setViewportSize(zoomed);
  await open(page, '/login');
  await checkFits(page, '/login');
  for (const path of everyPath(await makeRecords(api))) {
    await open(adminPage, path);
    await checkFits(adminPage, path);
  }
});

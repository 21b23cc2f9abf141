import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import { type Api, makePdf } from './support/api.ts';
import { checkFits } from './support/look.ts';
import { expect, test } from './support/test.ts';
import { viewLink } from './support/viewer.ts';

test.use({ newTabs: true });

const maxScriptBytes = 180 * 1024;
const longName = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(6).slice(0, 200);

/** The bytes on the wire, which `fetch` does not report. */
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
  return { customer, document };
}

/** Every screen behind the sign-in by its path, with its tab title. */
async function everyScreen(api: Api): Promise<(readonly [path: string, title: string | RegExp])[]> {
  const { customer, document } = await makeRecords(api);
  return [
    ['/dashboard', 'Dashboard'],
    ['/customers', 'Customer Search'],
    ['/customers?name=wolfe', 'Customer Search'],
    ['/customers/all', 'All Customers'],
    [`/customers/${customer.id}`, customer.name],
    ['/customers/new', 'Add Customer'],
    [`/customers/${customer.id}/edit`, /^Edit .*Customer Database$/],
    ['/documents', 'Document Search'],
    ['/documents?filename=annual', 'Document Search'],
    ['/documents/all', 'All Documents'],
    [`/documents/${document.id}`, document.filename],
    [`/documents/${document.id}/edit`, /^Edit .*Customer Database$/],
    [await viewLink(api, document), /^annual-report/],
    ['/documents/upload', 'Upload Document'],
    ['/search', 'Search'],
    ['/search?q=wolfe', 'Search'],
    ['/profile', 'Profile'],
    ['/change-password', 'Change password'],
    ['/admin/users', 'Users'],
    ['/admin/invite', 'Invite New User'],
    ['/admin/activity', 'Activity'],
  ];
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

test('every screen names itself, keeps to the content policy and fits at a zoom of 200 %', async ({
  page,
  adminPage,
  server,
  api,
}) => {
  test.slow();
  const foreign: string[] = [];
  const violations: string[] = [];
  for (const watched of [page, adminPage]) {
    watched.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith('http') && origin !== server.url) foreign.push(request.url());
    });
    await watched.exposeFunction('reportViolation', (violation: string) => violations.push(violation));
    await watched.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        (window as unknown as { reportViolation: (text: string) => void }).reportViolation(
          `${violatedDirective} ${blockedURI}`,
        ),
      );
    });
  }

  async function visit(by: Page, path: string, title: string | RegExp): Promise<void> {
    await by.setViewportSize({ width: 640, height: 450 });
    const answer = by.waitForResponse((response) => response.request().isNavigationRequest());
    await open(by, path);
    const policy = (await (await answer).allHeaders())['content-security-policy'];
    expect(policy, path).toContain("default-src 'none'");
    expect(policy, path).toContain("script-src 'self';");
    await expect(by).toHaveTitle(typeof title === 'string' ? `${title} · Customer Database` : title);
    await checkFits(by, path);
    // Covers the requests of the wide layout too.
    await by.setViewportSize({ width: 1280, height: 900 });
  }

  await visit(page, '/login', 'Sign in to your account');
  for (const [path, title] of await everyScreen(api)) await visit(adminPage, path, title);
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

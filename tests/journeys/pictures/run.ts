// npm run pictures              takes the pictures of README.md again, with the records of the demo
// npm run pictures -- search    only those whose names begin like this
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@customer-database/testkit/client';
import { chromium, expect, type Page } from '@playwright/test';
import sharp from 'sharp';
import { findOrInstallChromium } from '../../../scripts/chromium.js';
import { readConfig } from '../../../server/src/core/config.ts';
import { createLog } from '../../../server/src/core/log.ts';
import { readSample } from '../../../server/src/demo/samples.ts';
import { startServer } from '../../../server/src/start/server.ts';
import journeys from '../playwright.config.ts';
import { settle } from '../support/look.ts';
import { expectScreen } from '../support/screens.ts';
import { marks, wordFrame } from '../support/viewer.ts';
import { makeWorkingDay, type Session, timeZone } from './working-day.ts';

const wide = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

type Picture = {
  name: string;
  path: string;
  title: string;
  schemes: ('light' | 'dark')[];
  /** From the screen to what the picture shows. */
  go?: (page: Page) => Promise<unknown>;
};

async function openScan(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Delivery note 4708' }).first().click();
  await expect(marks(page).first()).toBeInViewport();
  // The viewer scrolls to the marks; the head of the page fits above them.
  await marks(page).first().hover({ force: true });
  await page.mouse.wheel(0, -1000);
}

async function openOffer(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Offer 2026-118.docx' }).first().click();
  await expect(wordFrame(page).getByText('Dear customer')).toBeVisible();
}

async function chooseFile(page: Page): Promise<void> {
  const file = {
    name: 'Contract 2022.pdf',
    mimeType: 'application/pdf',
    buffer: readSample('contract-en.pdf'),
  };
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(page.getByText('Will be saved as')).toBeVisible();
}

const openChange = (page: Page) =>
  page.getByRole('row').filter({ hasText: 'Changed customer' }).getByRole('button').click();
const showThumbnails = (page: Page) => page.getByRole('button', { name: 'Thumbnails' }).click();

/** The log comes first, because opening a document adds rows to it. */
const pictures: Picture[] = [
  {
    name: 'activity',
    path: '/admin/activity',
    title: 'Activity',
    schemes: ['light', 'dark'],
    go: openChange,
  },
  { name: 'dashboard', path: '/dashboard', title: 'Dashboard', schemes: ['light', 'dark'] },
  { name: 'users', path: '/admin/users', title: 'Users', schemes: ['light'] },
  { name: 'customer', path: '/customers/10', title: 'Emma Nguyen', schemes: ['light'], go: showThumbnails },
  { name: 'search', path: '/search?q=nguyen+halifax', title: 'Search', schemes: ['dark'] },
  {
    name: 'scan',
    path: '/search?q=armrest+scratched&customer_id=10',
    title: 'Search',
    schemes: ['light'],
    go: openScan,
  },
  { name: 'preview', path: '/documents/all', title: 'All Documents', schemes: ['dark'], go: openOffer },
  { name: 'phone-customers', path: '/customers/all', title: 'All Customers', schemes: ['light'] },
  {
    name: 'phone-upload',
    path: '/documents/upload?customer=10',
    title: 'Upload Document',
    schemes: ['dark'],
    go: chooseFile,
  },
];

async function takePictures(url: string, { token, user }: Session, only: string): Promise<void> {
  const found = await findOrInstallChromium();
  if ('problem' in found) throw new Error(found.problem);
  const browser = await chromium.launch({ ...journeys.use?.launchOptions, executablePath: found.path });
  const kept = Object.entries({ authToken: token, user: JSON.stringify(user) });
  const origins = [{ origin: url, localStorage: kept.map(([name, value]) => ({ name, value })) }];
  for (const { name, path, title, schemes, go } of pictures) {
    if (!name.startsWith(only)) continue;
    for (const colorScheme of schemes) {
      const page = await browser.newPage({
        ...(name.startsWith('phone') ? phone : wide),
        baseURL: url,
        colorScheme,
        reducedMotion: 'reduce',
        locale: 'en-GB',
        timezoneId: timeZone,
        storageState: { cookies: [], origins },
      });
      await page.goto(path, { waitUntil: 'networkidle' });
      await expectScreen(page, title);
      await go?.(page);
      await page.waitForLoadState('networkidle');
      await settle(page, colorScheme);
      const file = join(import.meta.dirname, '../../../docs/pictures', `${name}-${colorScheme}.png`);
      await sharp(await page.screenshot())
        .png({ palette: true, colours: 128, dither: 0 })
        .toFile(file);
      await page.close();
    }
  }
  await browser.close();
}

/** Lists have thumbnails, and the search finds scans, when every document was read. */
async function waitForTexts(url: string, { token }: Session): Promise<void> {
  const { get } = createClient(url, token);
  const waiting = async () => (await get('/api/dashboard')).body.maintenance.texts_waiting;
  await expect.poll(waiting, { timeout: 30 * 60_000, intervals: [1000] }).toBe(0);
}

await using cleanup = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'customer-database-pictures-'));
cleanup.defer(() => rm(folder, { recursive: true, force: true }));
// When this runs as root, PostgreSQL runs as another user and needs access.
await chmod(folder, 0o755);
const settings = { DATA_DIR: folder, BACKUP_TO: join(folder, 'backups'), PORT: '0', TIME_ZONE: timeZone };
let session: Session | undefined;
const server = await startServer(readConfig(settings), createLog('warn'), {
  stopping: new AbortController().signal,
  async prepare(deps) {
    session = await makeWorkingDay(deps);
  },
  onDatabaseLost: (reason) => console.error(reason),
});
cleanup.defer(() => server.stop());
if (!session) throw new Error('The demo was not made');
console.error('The demo is made; waiting until its documents are read …');
await waitForTexts(server.url, session);
await takePictures(server.url, session, process.argv[2] ?? '');

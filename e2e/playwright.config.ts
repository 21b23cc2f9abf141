import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const { CHROMIUM_PATH, CHROMIUM_SHELL_PATH = CHROMIUM_PATH, CI } = process.env;
const root = import.meta.dirname;

const disabledFeatures = [
  // The popups of the address bar: two processes for each context, which nobody ever sees.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // What Playwright turns off itself: of two switches of this name only the last one counts.
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

const launchOptions = (executablePath: string | undefined) => ({
  ...(executablePath ? { executablePath } : {}),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    // A process less for each browser, and a fifth less work for each page.
    '--in-process-gpu',
    // Optimizing code that runs for a second costs more than it saves.
    '--js-flags=--no-maglev,--no-concurrent-marking',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${disabledFeatures}`,
  ],
});

const needsViewer = /@viewer/;

export default defineConfig({
  globalSetup: join(root, 'support', 'prepared-folder.ts'),
  projects: [
    {
      name: 'journeys',
      grepInvert: needsViewer,
      use: { launchOptions: launchOptions(CHROMIUM_SHELL_PATH) },
    },
    // The shell of Chromium has no viewer for PDFs.
    { name: 'viewer', grep: needsViewer, use: { launchOptions: launchOptions(CHROMIUM_PATH) } },
  ],
  testDir: join(root, 'journeys'),
  testMatch: '**/*.test.ts',
  outputDir: join(root, '..', 'test-results'),
  fullyParallel: true,
  workers: 2,
  // A test that passes at the second try has failed at the first.
  retries: 0,
  forbidOnly: CI === 'true',
  // Bounds for what never comes; a machine with two busy cores is slow and not wrong.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    // Still pictures: what a screen looks like must not depend on when it is looked at.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace of every test would take longer than the tests; `--trace on` makes them when needed.
    screenshot: 'only-on-failure',
  },
});

import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const { CHROMIUM_PATH, CHROMIUM_SHELL_PATH = CHROMIUM_PATH, CI } = process.env;
const root = import.meta.dirname;

const launchOptions = {
  ...(CHROMIUM_SHELL_PATH ? { executablePath: CHROMIUM_SHELL_PATH } : {}),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    // One process less per browser, and a fifth less work per page.
    '--in-process-gpu',
    // Optimizing code that runs for a second costs more than it saves.
    '--js-flags=--no-maglev,--no-concurrent-marking',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

export default defineConfig({
  globalSetup: join(root, 'support', 'prepared-folder.ts'),
  testDir: root,
  testMatch: '**/*.test.ts',
  outputDir: join(root, '..', '..', 'test-results'),
  fullyParallel: true,
  workers: 2,
  forbidOnly: CI === 'true',
  // Generous, because a machine with two busy cores is slow.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    launchOptions,
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    // Screenshots must not depend on timing.
    contextOptions: { reducedMotion: 'reduce' },
    // Traces would take longer than the tests; use `--trace on` when needed.
    screenshot: 'only-on-failure',
  },
});

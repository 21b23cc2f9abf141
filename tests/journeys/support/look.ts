import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

const folder = join(import.meta.dirname, '..', 'screenshots');

const looks = {
  'wide-light': { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  'narrow-light': { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  'narrow-dark': { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
} as const;

type Look = keyof typeof looks;

/** Together they cover every colour and layout. */
const usualLooks: Look[] = ['wide-light', 'narrow-dark'];

/** Waits for the new colours and the end of all animations, which show intermediate colours. */
export async function settle(page: Page, colorScheme: string): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  await expect(page.locator('[data-stale]')).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  );
}

/** Rows of a long list are alike, and each costs axe as much as a form. */
const repeatedRows = 'tbody tr:nth-child(n + 10)';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

async function checkAccessible(page: Page, where: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    ([exclude, values]) =>
      (window as unknown as { axe: typeof axe }).axe.run(
        { exclude: [exclude] },
        { runOnly: { type: 'tag', values }, resultTypes: ['violations'] },
      ),
    [repeatedRows, rules] as const,
  );
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
  expect(found, `accessibility of ${where}`).toEqual([]);
}

/** The size of a small laptop's window at a zoom of 200 %. */
const zoomed = { width: 640, height: 450 };

export async function checkFits(page: Page, where: string): Promise<void> {
  const { content, window } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }));
  expect(content, `width of ${where}`).toBeLessThanOrEqual(window);
}

/** Takes only the first rows of a long list. */
async function takeScreenshot(page: Page, where: string): Promise<void> {
  const isLong = await page.evaluate(() => document.documentElement.scrollHeight > 2_000);
  await page.screenshot({ path: join(folder, `${where}.png`), fullPage: !isLong });
}

/** Checks the current screen: it names itself, is accessible, and no wider than the window. */
export async function look(page: Page, name: string, kinds: readonly Look[] = usualLooks): Promise<void> {
  await expect(page).not.toHaveTitle(/^(Customer Database)?$/);
  await page.setViewportSize(zoomed);
  await checkFits(page, `${name}-zoomed`);
  for (const kind of kinds) {
    const { viewport, colorScheme } = looks[kind];
    const where = `${name}-${kind}`;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await settle(page, colorScheme);
    await checkFits(page, where);
    await checkAccessible(page, where);
    if (process.env.SCREENSHOTS === 'on') await takeScreenshot(page, where);
  }
}

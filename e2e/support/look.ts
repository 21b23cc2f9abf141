import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const folder = join(import.meta.dirname, '..', 'screenshots');
const widths = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } };

/** Nothing on the way in or out any more: moving parts have colours that are no one's intention. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => {
      // A skeleton pulses as long as there is nothing to show.
      const isEndless = animation.effect?.getTiming().iterations === Number.POSITIVE_INFINITY;
      return isEndless || animation.playState !== 'running';
    }),
  );
}

async function checkAccessible(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
  expect(found, `accessibility of ${where}`).toEqual([]);
}

export async function checkFits(page: Page, where: string): Promise<void> {
  const { content, window } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }));
  expect(content, `width of ${where}`).toBeLessThanOrEqual(window);
}

/** Between them they have every colour and every arrangement; the other two of the four would tell nothing new. */
const checkedForAccess = ['wide-light', 'narrow-dark'];

/** Looks at the screen as it is now in both themes and both widths: accessible, within its width, and photographed. */
export async function look(
  page: Page,
  name: string,
  options: { only?: keyof typeof widths } = {},
): Promise<void> {
  for (const [size, viewport] of Object.entries(widths)) {
    if (options.only && options.only !== size) continue;
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      const where = `${name}-${size}-${colorScheme}`;
      await page.emulateMedia({ colorScheme });
      await settle(page);
      await checkFits(page, where);
      if (options.only || checkedForAccess.includes(`${size}-${colorScheme}`))
        await checkAccessible(page, where);
      await page.screenshot({ path: join(folder, `${where}.png`), fullPage: true });
    }
  }
}

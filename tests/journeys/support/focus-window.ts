import type { Page } from '@playwright/test';

/** Simulates coming back to this tab from another window. */
export async function refocusWindow(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.dispatchEvent(new Event('blur'));
    window.dispatchEvent(new Event('focus'));
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
}

import { expect, type Page } from '@playwright/test';
import { holdCalls, recordCalls } from './calls.ts';

const path = '/api/customers/search';
const beyondDebounceMs = 1_000;
const minuteMs = 60_000;

/**
 * Types a name in two goes while the page's clock stands still, so that a slow machine makes no difference.
 * Requests are answered only at the end.
 */
export async function typeInTwoGoes(page: Page, first: string, second: string): Promise<void> {
  const held = await holdCalls(page, path);
  const calls = recordCalls(page, 'POST', path);
  const sent = () => calls.map((call) => call.postDataJSON().name);
  const aborted = () => calls.filter((call) => call.failure()).map((call) => call.postDataJSON().name);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + minuteMs);

  await page.keyboard.type(first);
  await page.clock.runFor(beyondDebounceMs);
  await expect.poll(sent).toEqual([first]);
  await page.keyboard.type(second);
  await page.clock.runFor(beyondDebounceMs);
  await expect.poll(sent).toEqual([first, first + second]);
  await expect.poll(aborted).toEqual([first]);

  await page.clock.resume();
  held.release();
}

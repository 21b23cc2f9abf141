import { expect, type Page } from '@playwright/test';
import { holdCalls, recordCalls } from './calls.ts';

const path = '/api/customers/search';
const longerThanAnyDelayMs = 1_000;
const aMinute = 60_000;

/**
 * Types a name in two goes, each faster than any machine is slow: the page's clock stands still
 * meanwhile. Whatever the page asks for is answered only at the end.
 */
export async function typeInTwoGoes(page: Page, first: string, second: string): Promise<void> {
  const held = await holdCalls(page, path);
  const calls = recordCalls(page, 'POST', path);
  const sent = () => calls.map((call) => call.postDataJSON().name);
  const givenUp = () => calls.filter((call) => call.failure()).map((call) => call.postDataJSON().name);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + aMinute);

  await page.keyboard.type(first);
  await page.clock.runFor(longerThanAnyDelayMs);
  await expect.poll(sent).toEqual([first]);
  await page.keyboard.type(second);
  await page.clock.runFor(longerThanAnyDelayMs);
  await expect.poll(sent).toEqual([first, first + second]);
  await expect.poll(givenUp).toEqual([first]);

  await page.clock.resume();
  held.release();
}

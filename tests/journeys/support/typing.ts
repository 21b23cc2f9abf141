import { expect, type Page, type Request } from '@playwright/test';
import { holdCalls, recordCalls } from './calls.ts';

/** A call that searches while one types. */
type TypedSearch = { method: string; path: string; termOf: (call: Request) => string | null };

export const customerSearch: TypedSearch = {
  method: 'POST',
  path: '/api/customers/search',
  termOf: (call) => call.postDataJSON().name,
};

export const oneSearch: TypedSearch = {
  method: 'GET',
  path: '/api/search',
  termOf: (call) => new URL(call.url()).searchParams.get('q'),
};

const beyondDebounceMs = 1_000;
const minuteMs = 60_000;

/**
 * Types a name in two goes while the page's clock stands still, so that a slow machine makes no difference.
 * Requests are answered only at the end.
 */
export async function typeInTwoGoes(
  page: Page,
  { method, path, termOf }: TypedSearch,
  first: string,
  second: string,
): Promise<void> {
  const held = await holdCalls(page, path);
  const calls = recordCalls(page, method, path);
  const sent = () => calls.map(termOf);
  const aborted = () => calls.filter((call) => call.failure()).map(termOf);
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

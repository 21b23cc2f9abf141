import { SearchTooSlow } from '../db/unavailable.ts';

export type Effort = {
  timeoutMs: number;
  /** Looks for the phrase on this many pages with all of its words. */
  newestPages?: number;
};

// Together a second: reading 2,000 pages takes a tenth of one.
const usual: Effort = { timeoutMs: 600 };
const least: Effort = { timeoutMs: 400, newestPages: 2_000 };

/**
 * Common words are on most pages, and each of these has to be read to see whether the words stand together. If that
 * takes too long, only the newest are read; then there may be more matches.
 */
export async function findPhrase<T>(
  find: (effort: Effort) => Promise<T>,
): Promise<{ found: T; isPartial: boolean }> {
  try {
    return { found: await find(usual), isPartial: false };
  } catch (error) {
    if (!(error instanceof SearchTooSlow)) throw error;
    return { found: await find(least), isPartial: true };
  }
}

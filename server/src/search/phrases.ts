import { SearchTooSlow } from '../db/unavailable.ts';

export type SearchBounds = {
  timeoutMs: number;
  /** Compares the phrase with this many of the newest pages that have all of its words. */
  newestPages?: number;
};

// Together 1 s. Reading 2,000 pages takes 0.1 s.
const allPages: SearchBounds = { timeoutMs: 600 };
const newestPagesOnly: SearchBounds = { timeoutMs: 400, newestPages: 2_000 };

/**
 * Most pages have common words, and PostgreSQL has to read each of these pages to see whether the words are next to
 * each other. If that takes too long, a second search reads the newest pages only, and may miss matches.
 */
export async function findPhrase<T>(
  find: (bounds: SearchBounds) => Promise<T>,
): Promise<{ found: T; isPartial: boolean }> {
  try {
    return { found: await find(allPages), isPartial: false };
  } catch (error) {
    if (!(error instanceof SearchTooSlow)) throw error;
    return { found: await find(newestPagesOnly), isPartial: true };
  }
}

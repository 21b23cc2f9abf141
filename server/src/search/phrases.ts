import { isSequence, type Term } from '@customer-database/words/question';
import { SearchTooSlow } from '../db/unavailable.ts';

export type SearchBounds = {
  timeoutMs?: number;
  /** Compares the phrase with this many of the newest documents that have all of its words. */
  newestDocuments?: number;
};

// Together 1 s. Reading the pages of 700 documents takes 0.1 s.
const allDocuments: SearchBounds = { timeoutMs: 600 };
const newestOnly: SearchBounds = { timeoutMs: 400, newestDocuments: 700 };

/**
 * Most documents have common words, and PostgreSQL has to read the pages of each to see whether the words of a phrase are
 * next to each other. If that takes too long, a second search reads the newest documents only, and may miss matches.
 */
export async function findWithPhrases<T>(
  terms: Term[],
  find: (bounds: SearchBounds) => Promise<T>,
): Promise<{ found: T; isPartial: boolean }> {
  if (!terms.some(isSequence)) return { found: await find({}), isPartial: false };
  try {
    return { found: await find(allDocuments), isPartial: false };
  } catch (error) {
    if (!(error instanceof SearchTooSlow)) throw error;
    return { found: await find(newestOnly), isPartial: true };
  }
}

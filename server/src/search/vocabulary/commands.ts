import type { Term } from '@customer-database/words/question';
import { wordsOf } from '@customer-database/words/words';
import type { Context } from '../../core/context.ts';
import type { Database } from '../../db/client.ts';
import { limitSearches } from '../limit.ts';
import { typingMistakes } from './distance.ts';
import * as repo from './repo.ts';

/** Of all pages of a document, or of one. Not in the transaction that saves them: others would wait for its end. */
export const rememberWordsOfPages = (db: Database, documentId: number, page?: number): Promise<void> =>
  repo.addWordsOfPages(db, documentId, page);

/** With two letters swapped, which makes most trigrams of a short word differ. */
const swapped = (word: string) =>
  [...word]
    .slice(1)
    .map((letter, index) => word.slice(0, index) + letter + (word[index] ?? '') + word.slice(index + 2));

const maxMistakes = (word: string) => (word.length < 5 ? 1 : 2);

/** The word that exists and was most likely meant. */
async function nearestWord(ctx: Context, word: string): Promise<string | undefined> {
  const candidates = await limitSearches(ctx, () => repo.selectCandidates(ctx.db, word, swapped(word)));
  const [nearest] = candidates
    .map((candidate) => ({
      candidate,
      mistakes: typingMistakes(word, candidate),
      added: Math.abs(candidate.length - word.length),
    }))
    .filter(({ mistakes }) => mistakes <= maxMistakes(word))
    .sort((one, other) => one.mistakes - other.mistakes || one.added - other.added);
  return nearest?.candidate;
}

// A question that is wrong in more words than this cannot be guessed.
const maxCorrected = 3;

/** The terms with the nearest word that exists for each that does not. Undefined if there is nothing to correct. */
export async function correctTerms(ctx: Context, terms: Term[]): Promise<Term[] | undefined> {
  const wordsIn = ({ text }: Term) => [...wordsOf(text)].map((word) => word.text);
  const asked = new Set(terms.filter(({ isExcluded }) => !isExcluded).flatMap(wordsIn));
  const unknown = await repo.selectUnknown(
    ctx.db,
    [...asked].filter((word) => repo.correctable.test(word)),
  );
  if (unknown.length === 0 || unknown.length > maxCorrected) return undefined;
  const corrections = new Map<string, string>();
  for (const word of unknown) {
    const nearest = await nearestWord(ctx, word);
    if (nearest === undefined) return undefined;
    corrections.set(word, nearest);
  }
  return terms.map((term) =>
    term.isExcluded
      ? term
      : {
          ...term,
          text: wordsIn(term)
            .map((word) => corrections.get(word) ?? word)
            .join(' '),
        },
  );
}

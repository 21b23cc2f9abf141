import { type LongerWords, partOf, type Term } from '@customer-database/words/question';
import { wordsOf } from '@customer-database/words/words';
import type { Context } from '../../core/context.ts';
import { limitSearches } from '../limit.ts';
import { typingMistakes } from './distance.ts';
import * as repo from './repo.ts';

export const { addWordsOfPages } = repo;

/** The word with each two neighbouring letters swapped: such mistakes change most trigrams of a short word. */
const swappedLetters = (word: string) =>
  [...word]
    .slice(1)
    .map((letter, index) => word.slice(0, index) + letter + (word[index] ?? '') + word.slice(index + 2));

const maxMistakes = (word: string) => (word.length < 5 ? 1 : 2);

/** Of candidates with the same number of mistakes, so many are compared by how common they are. */
const maxCompared = 8;

/** The known word that the user most likely meant: with the fewest mistakes, and the most common one of these. */
async function findNearestWord(ctx: Context, word: string): Promise<string | undefined> {
  const similar = await limitSearches(ctx, () => repo.selectCandidates(ctx.db, word, swappedLetters(word)));
  const candidates = similar
    .map((candidate) => ({
      candidate,
      mistakes: typingMistakes(word, candidate),
      lengthDifference: Math.abs(candidate.length - word.length),
    }))
    .filter(({ mistakes }) => mistakes <= maxMistakes(word))
    .sort((one, other) => one.mistakes - other.mistakes || one.lengthDifference - other.lengthDifference);
  const [first] = candidates;
  // A longer word may have the same beginning: then the shorter one is found together with it.
  const nearest = candidates
    .filter(({ mistakes, lengthDifference }) => mistakes === first?.mistakes && lengthDifference <= 1)
    .slice(0, maxCompared)
    .map(({ candidate }) => candidate);
  if (nearest.length < 2) return first?.candidate;
  const records = await limitSearches(ctx, () => repo.countRecordsWith(ctx.db, nearest));
  return nearest.toSorted((one, other) => (records.get(other) ?? 0) - (records.get(one) ?? 0))[0];
}

/** Longer words that contain a word of the terms, such as the compounds of German. */
export async function findLongerWords(ctx: Context, terms: Term[]): Promise<LongerWords> {
  const parts = terms.flatMap((term) => partOf(term) ?? []).filter((part) => repo.correctable.test(part));
  if (parts.length === 0) return new Map();
  const rows = await limitSearches(ctx, () => repo.selectLongerWords(ctx.db, parts));
  return new Map(rows.map(({ word, longer }) => [word, longer]));
}

// With more unknown words, a correction would be a guess.
const maxCorrected = 3;

/** Replaces each unknown word by the nearest known one. Undefined if no correction is needed or possible. */
export async function correctTerms(ctx: Context, terms: Term[]): Promise<Term[] | undefined> {
  const wordsIn = ({ text }: Term) => [...wordsOf(text)].map((word) => word.text);
  const wanted = new Set(terms.filter(({ isExcluded }) => !isExcluded).flatMap(wordsIn));
  const unknown = await repo.selectUnknownWords(
    ctx.db,
    [...wanted].filter((word) => repo.correctable.test(word)),
  );
  if (unknown.length === 0 || unknown.length > maxCorrected) return undefined;
  const corrections = new Map<string, string>();
  for (const word of unknown) {
    const nearest = await findNearestWord(ctx, word);
    if (nearest === undefined) return undefined;
    corrections.set(word, nearest);
  }
  return terms.map((term) => {
    const words = wordsIn(term);
    if (term.isExcluded || !words.some((word) => corrections.has(word))) return term;
    return { ...term, text: words.map((word) => corrections.get(word) ?? word).join(' ') };
  });
}

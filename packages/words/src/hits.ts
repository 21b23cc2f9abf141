import { endsInPrefix, partOf, spellingsOf, type Term } from './question.ts';
import { type Word, wordsOf } from './words.ts';

/** A position in a text: a word, and the whole number whose last group it is. */
type Place = { word: Word; number?: Word };

function placesOf(text: string): Place[] {
  const places: Place[] = [];
  for (const word of wordsOf(text)) {
    const last = places.at(-1);
    if (word.isWholeNumber && last) last.number = word;
    else places.push({ word });
  }
  return places;
}

/** The matching words from this place on; undefined unless all match. */
function matchAt(places: Place[], at: number, wanted: Word[], isPrefix: boolean): Word[] | undefined {
  const found: Word[] = [];
  for (const [index, { text }] of wanted.entries()) {
    const { word, number } = places[at + index] ?? {};
    const mayContinue = isPrefix && index === wanted.length - 1;
    const isSame = (other: Word | undefined) =>
      mayContinue ? other?.text.startsWith(text) : other?.text === text;
    const match = isSame(word) ? word : number && isSame(number) ? number : undefined;
    if (!match) return undefined;
    found.push(match);
  }
  return found;
}

/** For each place, the words that match the term. */
type Matches = (Word[] | undefined)[];

function matchesOf(term: Term, places: Place[]): Matches {
  const spellings = spellingsOf(term).map((words) => ({ words, isPrefix: endsInPrefix(term, words.at(-1)) }));
  const matches = places.map((_, at) => {
    for (const { words, isPrefix } of spellings) {
      const found = matchAt(places, at, words, isPrefix);
      if (found) return found;
    }
    return undefined;
  });
  const part = partOf(term);
  if (part === undefined || matches.some((found) => found !== undefined)) return matches;
  return places.map(({ word }) => (word.text.includes(part) ? [word] : undefined));
}

export type Hit = { start: number; end: number };

/** The hits of the terms in the text, in order. Inside of longer words only if no word of the text begins with the term. */
export function* hitsIn(text: string, terms: Term[]): Generator<Hit> {
  const places = placesOf(text);
  const matchesOfTerms = terms.filter(({ isExcluded }) => !isExcluded).map((term) => matchesOf(term, places));
  for (let at = 0; at < places.length; at += 1) {
    const found = matchesOfTerms.map((matches) => matches[at]).find((words) => words !== undefined);
    const [first, last] = [found?.at(0), found?.at(-1)];
    if (!found || !first || !last) continue;
    yield { start: first.start, end: last.end };
    at += found.length - 1;
  }
}

export type Part = { text: string; hit: boolean };

/** The text in parts, with the hits between `start` and `end` marked. */
export function markHits(text: string, hits: Iterable<Hit>, start = 0, end = text.length): Part[] {
  const parts: Part[] = [];
  let at = start;
  const add = (to: number, hit: boolean) => {
    if (to > at) parts.push({ text: text.slice(at, to), hit });
    at = Math.max(at, to);
  };
  for (const hit of hits) {
    if (hit.start < start || hit.end > end) continue;
    add(hit.start, false);
    add(hit.end, true);
  }
  add(end, false);
  return parts;
}

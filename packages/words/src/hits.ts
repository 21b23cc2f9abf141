import { endsInPrefix, type Term } from './question.ts';
import { type Word, wordsOf } from './words.ts';

type Pattern = { words: string[]; isPrefix: boolean };

function patternsOf(terms: Term[]): Pattern[] {
  return terms
    .filter(({ isExcluded }) => !isExcluded)
    .map((term) => {
      const words = [...wordsOf(term.text)];
      return { words: words.map(({ text }) => text), isPrefix: endsInPrefix(term, words.at(-1)) };
    });
}

function matchesAt(words: Word[], at: number, { words: wanted, isPrefix }: Pattern): boolean {
  return wanted.every((word, index) => {
    const found = words[at + index]?.text;
    const isLast = index === wanted.length - 1;
    return found !== undefined && (isLast && isPrefix ? found.startsWith(word) : found === word);
  });
}

export type Hit = { start: number; end: number };

/** The hits of the terms in the text, in order. */
export function* hitsIn(text: string, terms: Term[]): Generator<Hit> {
  const patterns = patternsOf(terms);
  const words = [...wordsOf(text)];
  for (let at = 0; at < words.length; at += 1) {
    const found = patterns.find((pattern) => matchesAt(words, at, pattern));
    const [first, last] = [words[at], words[at + (found?.words.length ?? 0) - 1]];
    if (!found || !first || !last) continue;
    yield { start: first.start, end: last.end };
    at += found.words.length - 1;
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

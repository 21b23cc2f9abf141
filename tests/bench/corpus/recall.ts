import { tableOf } from '@customer-database/testkit/figures';

const minLength = 3;
// Their words stand side by side; a search finds them anywhere in a text.
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

const fold = (text: string) => text.normalize('NFKC').replaceAll('\u00ad', '').toLowerCase();
const wordsOf = (text: string) => fold(text).match(/[\p{L}\p{M}]+/gu) ?? [];

/** Which share of the words a text has, each counted once. */
export function recallOf(expected: string[], text: string): number {
  const found = new Set(wordsOf(text));
  const folded = fold(text);
  const words = [...new Set(expected.flatMap(wordsOf))].filter(
    (word) => unspaced.test(word) || word.length >= minLength,
  );
  const isFound = (word: string) => (unspaced.test(word) ? folded.includes(word) : found.has(word));
  return words.filter(isFound).length / words.length;
}

/** A file, and how much of it was found by the product and by another program. */
export type Compared = { group: string; ours: number; theirs: number };

const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

function rowOf(name: string, compared: Compared[]): string[] {
  const ours = mean(compared.map((each) => each.ours));
  const theirs = mean(compared.map((each) => each.theirs));
  const ratio = theirs > 0 ? (ours / theirs).toFixed(2) : '';
  return [name, String(compared.length), ours.toFixed(3), theirs.toFixed(3), ratio];
}

/** By group, and all together. */
export function tableOfCompared(what: string, other: string, compared: Compared[]): string {
  const groups = [...new Set(compared.map(({ group }) => group))];
  const rows = groups.map((name) =>
    rowOf(
      name,
      compared.filter(({ group }) => group === name),
    ),
  );
  return tableOf([what, 'files', 'mean recall', other, 'ratio'], [...rows, rowOf('all', compared)]);
}

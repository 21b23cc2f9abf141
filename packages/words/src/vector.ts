import { wordsOf } from './words.ts';

// The highest position of a tsvector.
const maxPosition = 16_383;

/** A field of a record; the words of the most important ones have weight A. */
export type Field = { text: string | null | undefined; weight?: 'A' };

type Positions = Map<string, string[]>;

/** Returns the last position that it used. */
function addWords(positions: Positions, text: string, before: number, weight = ''): number {
  let last = before;
  for (const { text: word, position } of wordsOf(text)) {
    last = Math.min(before + position, maxPosition);
    const known = positions.get(word);
    if (known) known.push(`${last}${weight}`);
    else positions.set(word, [`${last}${weight}`]);
  }
  return last;
}

const write = (positions: Positions) =>
  [...positions].map(([word, at]) => `${word}:${at.join(',')}`).join(' ');

/** The words of a text and their positions in the syntax of a tsvector. */
export function vectorOf(text: string): string {
  const positions: Positions = new Map();
  addWords(positions, text, 0);
  return write(positions);
}

/**
 * The words of the fields of a record. A position before each field stays free, so that no phrase matches across two
 * fields, also where PostgreSQL appends one vector to another.
 */
export function vectorOfFields(fields: Field[]): string {
  const positions: Positions = new Map();
  let last = 0;
  for (const { text, weight } of fields) {
    if (text) last = addWords(positions, text, last + 1, weight);
  }
  return write(positions);
}

/*
 * Texts and questions go through the same function, which drops case, accents and punctuation: a search never depends on
 * them.
 */

export type Word = {
  /** Letters and digits only. */
  text: string;
  /** Its offsets in the original text. */
  start: number;
  end: number;
};

// Soft hyphens and joiners are invisible parts of a word.
const invisible = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;
const run = /[\p{L}\p{N}\p{M}\u00ad\u200b-\u200d\u2060\ufeff]+/gu;
// Scripts without spaces between words.
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
// Accents of European scripts, vowel signs of Arabic and Hebrew, and the Arabic letter stretcher. The marks of other
// scripts are letters in their own right.
const accents = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;
// Letters that NFKD does not decompose.
const plainLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
};
const specialLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');
const ascii = /^[a-z0-9]+$/;
// PostgreSQL rejects words of 2 KB.
const maxLength = 60;

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

function fold(text: string): string {
  const lower = text.toLowerCase();
  if (ascii.test(lower)) return lower;
  return lower
    .replace(invisible, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(accents, '')
    .replace(specialLetter, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC');
}

/** A folded run may hold several words: NFKD turns '½' into '1⁄2'. */
function* foldedWords(text: string, start: number): Generator<Word> {
  const end = start + text.length;
  const folded = fold(text);
  if (ascii.test(folded)) {
    yield { text: folded.slice(0, maxLength), start, end };
    return;
  }
  for (const [part] of folded.matchAll(run))
    yield { text: [...part].slice(0, maxLength).join(''), start, end };
}

export function* wordsOf(text: string): Generator<Word> {
  for (const { 0: found, index } of text.matchAll(run)) {
    if (!unspaced.test(found)) {
      yield* foldedWords(found, index);
      continue;
    }
    for (const { segment, index: offset, isWordLike } of segmenter.segment(found)) {
      if (isWordLike) yield* foldedWords(segment, index + offset);
    }
  }
}

// The highest position of a tsvector.
const maxPosition = 16_383;

/** The words and their positions in the syntax of a tsvector. */
export function vectorOf(text: string): string {
  const positions = new Map<string, number[]>();
  let position = 0;
  for (const { text: word } of wordsOf(text)) {
    position = Math.min(position + 1, maxPosition);
    const known = positions.get(word);
    if (known) known.push(position);
    else positions.set(word, [position]);
  }
  return [...positions].map(([word, at]) => `${word}:${at.join(',')}`).join(' ');
}

import { simplified } from './simplified.ts';

/*
 * Texts and questions go through the same function, which drops case, accents and punctuation: a search never depends on
 * them. In scripts without spaces between words, each character and the next one make a word: a question then matches
 * anywhere in a text, whereas dictionaries divide the same characters differently in different texts.
 */

/** Raise it when a text gets other words: the server then prepares the words of all texts again. */
export const tokenizerVersion = 2;

export type Word = {
  /** Letters and digits only. */
  text: string;
  /** Its offsets in the original text; those of its first character in a script without spaces. */
  start: number;
  end: number;
  /** From 1. A number without its separators has the position of its last group. */
  position: number;
  /** A number without its separators, besides its groups: 3180 in '3,180.00'. */
  isWholeNumber: boolean;
};

// Soft hyphens and joiners are invisible parts of a word.
const invisible = '\\u00ad\\u200b-\\u200d\\u2060\\ufeff';
const letter = '[\\p{L}\\p{N}\\p{M}]';
// A letter of a script without spaces between words. Two scripts of Japanese share the marks of long vowels.
const unspaced = `(?=${letter})[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30fc\\uff70\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]`;
const unspacedWithMarks = `${unspaced}[\\p{M}\\uff9e\\uff9f${invisible}]*`;

const runs = new RegExp(`(?:${letter}|[${invisible}])+`, 'gu');
// Of one or the other kind of script.
const partsOfRun = new RegExp(`(?<unspaced>(?:${unspacedWithMarks})+)|(?:(?!${unspaced}).)+`, 'gsu');
const unspacedCharacters = new RegExp(unspacedWithMarks, 'gu');
const unspacedLetter = new RegExp(unspaced, 'u');
// All of them come after the alphabets.
const maybeUnspaced = /[\u0e00-\uffff]/;
const letters = new RegExp(`${letter}+`, 'gu');
const invisibleLetters = new RegExp(`[${invisible}]`, 'g');
// Accents of European scripts, vowel signs of Arabic and Hebrew, and the Arabic letter stretcher. The marks of other
// scripts are letters in their own right.
const accents = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;
// Letters that NFKD does not decompose, and endings of Arabic words that many people write in two ways.
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
  ى: 'ي',
  ة: 'ه',
};
const specialLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');
// 'The' in Arabic is a part of the word that follows, and may be preceded by 'and', 'so', 'with' or 'like'; لل is 'to the'.
const arabicArticle = /^(?:[وفبك]?ال|لل)(?=.{3})/;
const ascii = /^[a-z0-9]+$/;
// PostgreSQL rejects words of 2 KB.
const maxLength = 60;

function fold(text: string): string {
  const lower = text.toLowerCase();
  if (ascii.test(lower)) return lower;
  return lower
    .replace(invisibleLetters, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(accents, '')
    .replace(specialLetter, (letter) => plainLetters[letter] ?? letter)
    .replace(arabicArticle, '')
    .normalize('NFC');
}

const cut = (word: string) => (word.length > maxLength ? [...word].slice(0, maxLength).join('') : word);

type PlainWord = Pick<Word, 'text' | 'start' | 'end'>;

/** Folding may divide a run: NFKD turns '½' into '1⁄2'. */
function* foldedWords(text: string, start: number): Generator<PlainWord> {
  const end = start + text.length;
  const folded = fold(text);
  if (ascii.test(folded)) {
    yield { text: cut(folded), start, end };
    return;
  }
  for (const [part] of folded.matchAll(letters)) yield { text: cut(part), start, end };
}

function* pairsOfCharacters(text: string, start: number): Generator<PlainWord> {
  const characters = [...text.matchAll(unspacedCharacters)];
  for (const [place, { 0: character, index }] of characters.entries()) {
    const next = characters[place + 1]?.[0] ?? '';
    const offset = start + index;
    yield { text: cut(simplified(fold(character + next))), start: offset, end: offset + character.length };
  }
}

/** Whether the word is a pair of characters, or the last character before a space. */
export const isUnspaced = ({ text }: Pick<Word, 'text'>) => unspacedLetter.test(text);

function* plainWordsOf(text: string): Generator<PlainWord> {
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (!maybeUnspaced.test(run)) {
      yield* foldedWords(run, index);
      continue;
    }
    for (const { 0: part, index: offset, groups } of run.matchAll(partsOfRun)) {
      yield* groups?.unspaced ? pairsOfCharacters(part, index + offset) : foldedWords(part, index + offset);
    }
  }
}

// Thousands are separated by a point, a comma, an apostrophe or a space.
const groupedNumber = /(?<![\p{L}\p{N}])\d{1,3}([.,'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*(?!\d)/gu;

function* wholeNumbersOf(text: string): Generator<PlainWord> {
  for (const { 0: number, index } of text.matchAll(groupedNumber)) {
    yield { text: cut(number.replace(/\D/g, '')), start: index, end: index + number.length };
  }
}

export function* wordsOf(text: string): Generator<Word> {
  const wholeNumbers = wholeNumbersOf(text);
  let number = wholeNumbers.next();
  let position = 0;
  for (const word of plainWordsOf(text)) {
    position += 1;
    yield { ...word, position, isWholeNumber: false };
    if (number.done || number.value.end > word.end) continue;
    yield { ...number.value, position, isWholeNumber: true };
    number = wholeNumbers.next();
  }
}

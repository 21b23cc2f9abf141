import { isUnspaced, type Word, wordsOf } from './words.ts';

export type Term = {
  text: string;
  /** In quotes: exactly these words, next to each other. Otherwise the last word may be the beginning of one. */
  isPhrase: boolean;
  isExcluded: boolean;
  /** Whether it is also found inside of longer words. */
  insideOfWords: boolean;
};

const term = /(?<excluded>-?)(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/g;
const hasWord = (text: string) => wordsOf(text).next().done === false;

const keyOf = ({ text, isPhrase, isExcluded }: Term) => `${isPhrase} ${isExcluded} ${text.toLowerCase()}`;

/** Words, "phrases" and -words to exclude, each once. Ignores terms without a word. */
export function parseQuestion(question: string): Term[] {
  const terms = [...question.matchAll(term)]
    .map(({ groups = {} }) => ({
      text: groups.phrase ?? groups.word ?? '',
      isPhrase: groups.phrase !== undefined,
      isExcluded: groups.excluded === '-',
      insideOfWords: true,
    }))
    .filter(({ text }) => hasWord(text));
  return terms.filter((one, index) => terms.findIndex((other) => keyOf(other) === keyOf(one)) === index);
}

export const onlyWholeWords = (terms: Term[]): Term[] =>
  terms.map((term) => ({ ...term, insideOfWords: false }));

/** The inverse of `parseQuestion`. */
export function writeQuestion(terms: Term[]): string {
  return terms
    .map(({ text, isPhrase, isExcluded }) => `${isExcluded ? '-' : ''}${isPhrase ? `"${text}"` : text}`)
    .join(' ');
}

/** Whether the last word of a term may be a beginning. In scripts without spaces, phrases can end anywhere. */
export const endsInPrefix = ({ isPhrase }: Term, lastWord: Word | undefined) =>
  !isPhrase || (lastWord !== undefined && isUnspaced(lastWord));

/** The words of a term in their order; if there is a number with separators, also as it is without them. */
export function spellingsOf({ text }: Term): Word[][] {
  const words = [...wordsOf(text)];
  const groups = words.filter(({ isWholeNumber }) => !isWholeNumber);
  const numbers = words.filter(({ isWholeNumber }) => isWholeNumber);
  if (numbers.length === 0) return [groups];
  const isInNumber = ({ start, end }: Word) =>
    numbers.some((number) => start < number.end && end > number.start);
  return [groups, words.filter((word) => word.isWholeNumber || !isInNumber(word))];
}

/** The word before the last one contains its only character. */
function isRepeated(last: Word | undefined, before: Word | undefined): boolean {
  return last !== undefined && before?.end === last.start && isUnspaced(last) && isUnspaced(before);
}

type Operator = '<->' | '&';

function tsqueryOfSpelling(term: Term, words: Word[], operator: Operator): string {
  const needed = isRepeated(words.at(-1), words.at(-2)) ? words.slice(0, -1) : words;
  const suffix = endsInPrefix(term, needed.at(-1)) ? ':*' : '';
  return `${needed.map(({ text }) => text).join(operator)}${suffix}`;
}

/** For words of a question, longer words that contain them. */
export type LongerWords = ReadonlyMap<string, readonly string[]>;

/** Without the exclusion of an excluded term. */
function tsqueryOfWords(term: Term, operator: Operator, longerWords?: LongerWords): string {
  const spellings = spellingsOf(term).map((words) => tsqueryOfSpelling(term, words, operator));
  return `(${[...spellings, ...(longerWords?.get(partOf(term) ?? '') ?? [])].join('|')})`;
}

/** Whether the words of the term have to be next to each other. */
export const isSequence = (term: Term): boolean => tsqueryOfWords(term, '<->').includes('<->');

const shortestPart = 4;

/** The word of a term that may also be found inside longer words. */
export function partOf(term: Term): string | undefined {
  const [[word, ...others] = [], otherSpelling] = spellingsOf(term);
  if (!term.insideOfWords || term.isPhrase || term.isExcluded) return undefined;
  if (!word || others.length > 0 || otherSpelling) return undefined;
  return [...word.text].length >= shortestPart && !isUnspaced(word) ? word.text : undefined;
}

/** A term in the syntax of a tsquery. */
export function tsqueryOfTerm(term: Term, longerWords?: LongerWords): string {
  const query = tsqueryOfWords(term, '<->', longerWords);
  return term.isExcluded ? `!${query}` : query;
}

/** All terms in the syntax of a tsquery. Undefined if every term is excluded. */
export function tsqueryOf(terms: Term[], longerWords?: LongerWords): string | undefined {
  if (terms.every(({ isExcluded }) => isExcluded)) return undefined;
  return terms.map((term) => tsqueryOfTerm(term, longerWords)).join('&');
}

/**
 * A tsquery for the words of a document, which have no order: sequences match in any order, and excluded sequences are
 * left out.
 */
export function tsqueryOfDocument(terms: Term[], longerWords?: LongerWords): string {
  return terms
    .filter((term) => !term.isExcluded || !isSequence(term))
    .map((term) => `${term.isExcluded ? '!' : ''}${tsqueryOfWords(term, '&', longerWords)}`)
    .join('&');
}

/** A tsquery for texts with at least one of the terms. */
export const tsqueryOfAny = (terms: Term[], longerWords?: LongerWords): string =>
  terms
    .filter(({ isExcluded }) => !isExcluded)
    .map((term) => tsqueryOfTerm(term, longerWords))
    .join('|');

import { isUnspaced, type Word, wordsOf } from './words.ts';

export type Term = {
  text: string;
  /** In quotes: exactly these words, next to each other. Otherwise the last word may be the beginning of one. */
  isPhrase: boolean;
  isExcluded: boolean;
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
    }))
    .filter(({ text }) => hasWord(text));
  return terms.filter((one, index) => terms.findIndex((other) => keyOf(other) === keyOf(one)) === index);
}

/** The inverse of `parseQuestion`. */
export function writeQuestion(terms: Term[]): string {
  return terms
    .map(({ text, isPhrase, isExcluded }) => `${isExcluded ? '-' : ''}${isPhrase ? `"${text}"` : text}`)
    .join(' ');
}

/** Whether the last word of a term may be a beginning. In scripts without spaces, phrases can end anywhere. */
export const endsInPrefix = ({ isPhrase }: Term, lastWord: Word | undefined) =>
  !isPhrase || (lastWord !== undefined && isUnspaced(lastWord));

/** The word before the last one contains its only character. */
function isRepeated(last: Word | undefined, before: Word | undefined): boolean {
  return last !== undefined && before?.end === last.start && isUnspaced(last) && isUnspaced(before);
}

/** A term in the syntax of a tsquery. */
export function tsqueryOfTerm(term: Term): string {
  const words = [...wordsOf(term.text)];
  if (isRepeated(words.at(-1), words.at(-2))) words.pop();
  const suffix = endsInPrefix(term, words.at(-1)) ? ':*' : '';
  const query = `(${words.map(({ text }) => text).join('<->')}${suffix})`;
  return term.isExcluded ? `!${query}` : query;
}

/** All terms in the syntax of a tsquery. Undefined if every term is excluded. */
export function tsqueryOf(terms: Term[]): string | undefined {
  return terms.every(({ isExcluded }) => isExcluded) ? undefined : terms.map(tsqueryOfTerm).join('&');
}

/** A faster query for candidates: pages with all wanted words, in any order. Undefined if no words are adjacent. */
export function candidatesOf(terms: Term[]): string | undefined {
  const query = tsqueryOf(terms.filter(({ isExcluded }) => !isExcluded));
  return query?.includes('<->') ? query.replaceAll('<->', '&') : undefined;
}

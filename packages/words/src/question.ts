import { wordsOf } from './words.ts';

export type Term = {
  text: string;
  /** In quotes: exactly these words, next to each other. Otherwise the last word is a prefix. */
  isPhrase: boolean;
  isExcluded: boolean;
};

const term = /(?<excluded>-?)(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/g;
const hasWord = /[\p{L}\p{N}]/u;

const keyOf = ({ text, isPhrase, isExcluded }: Term) => `${isPhrase} ${isExcluded} ${text.toLowerCase()}`;

/** Words, "phrases" and -words to exclude, each once. Ignores terms without letters and digits. */
export function parseQuestion(question: string): Term[] {
  const terms = [...question.matchAll(term)]
    .map(({ groups = {} }) => ({
      text: groups.phrase ?? groups.word ?? '',
      isPhrase: groups.phrase !== undefined,
      isExcluded: groups.excluded === '-',
    }))
    .filter(({ text }) => hasWord.test(text));
  return terms.filter((one, index) => terms.findIndex((other) => keyOf(other) === keyOf(one)) === index);
}

/** The inverse of `parseQuestion`. */
export function writeQuestion(terms: Term[]): string {
  return terms
    .map(({ text, isPhrase, isExcluded }) => `${isExcluded ? '-' : ''}${isPhrase ? `"${text}"` : text}`)
    .join(' ');
}

function queryOfTerm({ text, isPhrase, isExcluded }: Term): string[] {
  const words = [...wordsOf(text)].map((word) => word.text);
  if (words.length === 0) return [];
  const query = `(${words.join('<->')}${isPhrase ? '' : ':*'})`;
  return [isExcluded ? `!${query}` : query];
}

/** All terms in the syntax of a tsquery. Undefined if every term is excluded. */
export function tsqueryOf(terms: Term[]): string | undefined {
  const isWanted = terms.some((each) => !each.isExcluded && queryOfTerm(each).length > 0);
  return isWanted ? terms.flatMap(queryOfTerm).join('&') : undefined;
}

/** A faster query for candidates: pages with all wanted words, in any order. Undefined if no words are adjacent. */
export function candidatesOf(terms: Term[]): string | undefined {
  const query = tsqueryOf(terms.filter(({ isExcluded }) => !isExcluded));
  return query?.includes('<->') ? query.replaceAll('<->', '&') : undefined;
}

import { wordsOf } from './words.ts';

export type Term = {
  text: string;
  /** In quotes: these words, next to each other. Otherwise the last one may be the beginning of a word. */
  isPhrase: boolean;
  isExcluded: boolean;
};

const term = /(?<excluded>-?)(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/g;
const hasWord = /[\p{L}\p{N}]/u;

const keyOf = ({ text, isPhrase, isExcluded }: Term) => `${isPhrase} ${isExcluded} ${text.toLowerCase()}`;

/** Words, "phrases" and -words to exclude, each once. What has neither letters nor digits is ignored. */
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

/** The text of a question with these terms. */
export function writeQuestion(terms: Term[]): string {
  return terms
    .map(({ text, isPhrase, isExcluded }) => `${isExcluded ? '-' : ''}${isPhrase ? `"${text}"` : text}`)
    .join(' ');
}

/** Words next to each other; the last one may be the beginning of a word. */
function queryOfTerm({ text, isPhrase, isExcluded }: Term): string[] {
  const words = [...wordsOf(text)].map((word) => word.text);
  if (words.length === 0) return [];
  const query = `(${words.join('<->')}${isPhrase ? '' : ':*'})`;
  return [isExcluded ? `!${query}` : query];
}

/** All terms, as PostgreSQL reads a tsquery. Undefined if there is nothing to find. */
export function tsqueryOf(terms: Term[]): string | undefined {
  const isWanted = terms.some((each) => !each.isExcluded && queryOfTerm(each).length > 0);
  return isWanted ? terms.flatMap(queryOfTerm).join('&') : undefined;
}

/** Pages that may have the terms: all wanted words, wherever they stand. Undefined if that is no other query. */
export function candidatesOf(terms: Term[]): string | undefined {
  const query = tsqueryOf(terms.filter(({ isExcluded }) => !isExcluded));
  return query?.includes('<->') ? query.replaceAll('<->', '&') : undefined;
}

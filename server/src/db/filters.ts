import { type RawBuilder, sql } from 'kysely';

/** One filter of a search, in two forms that find the same. */
export type Filter = {
  /** For going through the records in their order. */
  plain: RawBuilder<boolean>;
  /** For going to the matches through an index. */
  indexed: RawBuilder<boolean>;
  /** So many records may match, and about so many do if that is known. */
  atMost: number;
  expected?: Expected | undefined;
};
export type Form = 'plain' | 'indexed';

/** From statistics of a hundred thousand records, and when those were made. */
export type Expected = { matches: number; asOf: string };

export type Term = {
  whole: string;
  /** What an index is asked for: all that contains the term contains these. */
  parts: string[];
  /** So many records may contain it. */
  atMost: number;
  /** About so many do, where that is known better than by the planner's guess, from some hundred. */
  expected?: Expected;
};

/** A term of which nothing is known. */
export const wholeTerm = (whole: string): Term => ({
  whole,
  parts: [whole],
  atMost: Number.POSITIVE_INFINITY,
});

const like = (text: RawBuilder<unknown>, term: string) => sql<boolean>`${text} like search_pattern(${term})`;

/** The parts for the index, and the whole compared as a value that no index knows. */
function likeByParts(column: string, indexed: RawBuilder<unknown>, { whole, parts }: Term) {
  if (parts.length === 1 && parts[0] === whole) return like(indexed, whole);
  const conditions = [
    ...parts.map((part) => like(indexed, part)),
    like(sql`(${sql.ref(column)} || '')`, whole),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** Matches anywhere in the column, without regard to case or accents; wildcards are plain characters. */
export function contains(column: string, term: Term): Filter {
  const text = sql.ref(column);
  return {
    plain: like(text, term.whole),
    indexed: likeByParts(column, text, term),
    atMost: term.atMost,
    expected: term.expected,
  };
}

/** By the single letters, too: without that, terms of one or two have no index. */
export function containsLetters(column: string, term: Term): Filter {
  const filter = contains(column, term);
  return { ...filter, indexed: sql<boolean>`${filter.indexed} and ${isLongOrHasLetters(column, term)}` };
}

const isLongOrHasLetters = (column: string, { whole }: Term) => sql<boolean>`
  (length(search_text(${whole})) > 2 or spread_letters(${sql.ref(column)}) like letters_pattern(${whole}))`;

/** A phone number is matched by its digits however it is written; by other signs only as it is written. */
export function containsPhone(column: string, written: string, term: string): Filter {
  const digits = term.replace(/\D/g, '');
  if (digits !== '') return contains(column, wholeTerm(digits));
  return contains(/\p{L}/u.test(term) ? column : written, wholeTerm(term));
}

/** All filters, in either form. */
export function every(filters: Filter[], form: Form): RawBuilder<boolean> {
  return filters.length === 0
    ? sql<boolean>`true`
    : sql.join(
        filters.map((filter) => filter[form]),
        sql` and `,
      );
}

export const fewestOf = (filters: Filter[]) => Math.min(...filters.map(({ atMost }) => atMost));

const nameStarts = ({ whole }: Term) =>
  sql<boolean>`customers.name_search collate "C" like starting_pattern(${whole})`;
const furtherOn = sql`"right"(customers.name_search, -1)`;

const hasFurtherOn = (term: Term) => sql<boolean>`
  ${likeByParts('customers.name_search', furtherOn, term)} and ${isLongOrHasLetters('customers.name_search', term)}`;

/** As `containsLetters`, with an index of names in order for those that begin with the term. */
export function containsName(term: Term): Filter {
  return {
    plain: like(sql.ref('customers.name_search'), term.whole),
    indexed: sql<boolean>`(${nameStarts(term)} or ${hasFurtherOn(term)})`,
    atMost: term.atMost,
    expected: term.expected,
  };
}

/** Names with the term, apart: those that begin with it stand together in the order of names. */
export const nameParts = (term: Term) => ({
  starting: nameStarts(term),
  others: (form: Form) => {
    const others = form === 'plain' ? like(furtherOn, term.whole) : hasFurtherOn(term);
    return sql<boolean>`${others} and not ${nameStarts(term)}`;
  },
});

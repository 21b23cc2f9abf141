import { documentTypes } from '@customer-database/contract/documents';
import type { SearchQuery } from '@customer-database/contract/search';
import { type LongerWords, type Term, tsqueryOf, tsqueryOfTerm } from '@customer-database/words/question';
import { type RawBuilder, sql } from 'kysely';
import { allOf, withinDays } from '../../db/conditions.ts';
import { isNotExcludedByPages } from '../../search/document-words.ts';
import { contains, startsWith } from '../../search/filters.ts';
import type { Searcher } from '../../search/limit.ts';
import { type Found, type Slice, searchGroup } from './search-group.ts';

/** What is looked for: the search of customers and documents by the words of their records; text-repo.ts by their text. */
export type Question = {
  terms: Term[];
  longerWords: LongerWords;
  filters: Pick<SearchQuery, 'type' | 'customer_id' | 'from' | 'to'>;
  timeZone: string;
};

const phoneDigits = /^[\d+()/.-]*\d{3}[\d+()/.-]*$/;
const isPhoneNumber = ({ text, isPhrase }: Term) => !isPhrase && phoneDigits.test(text);

/** Whether the words of a customer match the term. A phone number matches also by some of its digits. */
function customerHas(term: Term, longerWords: LongerWords | undefined): RawBuilder<boolean> {
  const hasWords = sql<boolean>`customers.words @@ ${tsqueryOfTerm(term, longerWords)}::tsquery`;
  if (!isPhoneNumber(term) || term.isExcluded) return hasWords;
  return sql`(${hasWords} or ${contains('customers.phone_search', term.text.replace(/\D/g, ''))})`;
}

/** Sorted by name; customers whose name begins with the first term come first. */
export function findCustomers(
  searcher: Searcher,
  { terms, longerWords, filters }: Question,
  slice: Slice,
): Promise<Found<{ id: number }>> {
  const firstTerm = terms.find(({ isExcluded }) => !isExcluded)?.text ?? '';
  const isLeading = startsWith('customers.name_search', firstTerm);
  const byName = sql`customers.name_search collate "C", customers.id`;
  const conditions = (longer?: LongerWords) => [
    ...terms.map((term) => customerHas(term, longer)),
    ...(filters.customer_id === undefined ? [] : [sql<boolean>`customers.id = ${filters.customer_id}`]),
  ];
  const search = {
    longerWords,
    matching: (longer?: LongerWords) => sql`select id from customers where ${allOf(conditions(longer))}`,
    leading: sql`
      select id from customers where ${allOf([isLeading, ...conditions()])}
      order by ${byName} limit ${slice.offset + slice.limit}`,
    joins: sql`join customers on customers.id = matching.id`,
    order: sql`${isLeading} desc, ${byName}`,
  };
  return searchGroup(searcher, search, slice);
}

// Documents are compared with excluded words, sequences and pages one by one, newest first, until enough match.
export const maxCandidates = 20_000;

/** Conditions on `documents`, and the join that they need; both are empty without a filter. */
export function documentConditions({ filters: { type, customer_id, ...days }, timeZone }: Question): {
  join: RawBuilder<unknown>;
  conditions: RawBuilder<boolean>[];
} {
  const conditions = [
    ...(type ? [sql<boolean>`documents.mime_type = ${documentTypes[`.${type}`]}`] : []),
    ...(customer_id ? [sql<boolean>`documents.customer_id = ${customer_id}`] : []),
    ...(days.from || days.to ? [withinDays('documents.uploaded_at', { ...days, timeZone })] : []),
  ];
  const join = conditions.length > 0 ? sql`join documents on documents.id = document_id` : sql``;
  return { join, conditions };
}

/** Documents whose record (their name, description and customer) has all terms, newest first. */
export function findDocuments(
  searcher: Searcher,
  question: Question,
  slice: Slice,
): Promise<Found<{ id: number }>> {
  const { terms, longerWords } = question;
  const { join, conditions } = documentConditions(question);
  const search = {
    longerWords,
    candidates: {
      select: (longer?: LongerWords) => sql`
        select document_id as id from document_texts ${join}
        where ${allOf([sql`document_texts.words @@ ${tsqueryOf(terms, longer)}::tsquery`, ...conditions])}
        order by document_id desc limit ${sql.lit(maxCandidates)}`,
      atMost: maxCandidates,
    },
    matching: (_longer: LongerWords | undefined, candidates: RawBuilder<unknown>) => sql`
      select id from ${candidates} as candidates
      where ${isNotExcludedByPages(sql.ref('candidates.id'), terms)}`,
    order: sql`matching.id desc`,
  };
  return searchGroup(searcher, search, slice);
}

import { limits } from '@customer-database/contract/limits';
import { type RawBuilder, sql } from 'kysely';
import { allOf } from '../db/conditions.ts';

// What a trigram index can find: three characters of a word, or two at its beginning or end.
const hasTrigram = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]{2}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u;
const isLong = (word: string) => /[\p{L}\p{N}]{3}/u.test(word);

// Some locales fold a sigma by what comes after the word: it is left out of words.
const separators = /[\s!-/:-@[-`{-~Σσς]+/;

/** A guess: numbers are in fewer records than other words, and long words in fewer than short ones. */
const rarity = (word: string) => word.length + (/\d/.test(word) ? limits.searchTermLength : 0);

/** The pattern is a subquery so that it is computed once, not for every row. */
const isLike = (column: RawBuilder<unknown>, text: string) =>
  sql<boolean>`${column} like (select search_pattern(${text}))`;

/**
 * Matches anywhere in the column, ignoring case and accents; wildcards are escaped. For a term of several words, the
 * index would read long lists for each of its trigrams; for conditions of their own, it skips from one to the next.
 */
export function contains(column: string, term: string): RawBuilder<boolean> {
  const indexed = sql.ref(column);
  // Keeps the index out: without trigrams in the pattern, all of it would be read.
  const unindexed = sql`${indexed} collate "C"`;
  const folded = term.normalize('NFKC');
  const words = folded.split(separators).filter((word) => word !== '');
  const long = [...new Set(words.filter(isLong))].sort((one, other) => rarity(other) - rarity(one));
  if (long.length < 2) return isLike(hasTrigram.test(folded) ? indexed : unindexed, term);
  const rarest = long.slice(0, 2).map((word) => isLike(indexed, word));
  // The index finds a short word only with what is around it.
  return allOf([...rarest, isLike(long.length < words.length ? indexed : unindexed, term)]);
}

/** As a range: a prepared statement cannot use an index for a pattern. */
export function startsWith(column: string, term: string): RawBuilder<boolean> {
  const text = sql`${sql.ref(column)} collate "C"`;
  const last = sql`chr(x'10ffff'::int)`;
  return sql`(${text} >= (select search_text(${term})) and ${text} <= (select search_text(${term}) || ${last}))`;
}

/** Matches digits regardless of formatting; other characters must match as written. */
export function containsPhone(column: string, writtenColumn: string, term: string): RawBuilder<boolean> {
  const digits = term.replace(/\D/g, '');
  if (digits !== '') return contains(column, digits);
  return contains(/\p{L}/u.test(term) ? column : writtenColumn, term);
}

/** The words of all fields of a customer. */
export const customerWords = sql`customer_words(name, dob, email, phone_number, street_line, city, province, country)`;

import { limits } from '@customer-database/contract/limits';
import { type RawBuilder, sql } from 'kysely';
import { allOf } from '../db/conditions.ts';

// The trigram index can find three characters of a word, or two at its beginning or end.
const hasTrigram = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]{2}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u;
const isIndexedWord = (word: string) => /[\p{L}\p{N}]{3}/u.test(word);

// Words are split at a sigma too, because some locales fold it according to the character after it.
const separators = /[\s!-/:-@[-`{-~Σσς]+/;

/** Estimates how few records have the word: numbers are rarer than other words, and long words than short ones. */
const estimateRarity = (word: string) => word.length + (/\d/.test(word) ? limits.searchTermLength : 0);

/** The pattern is a subquery so that PostgreSQL computes it once, not for every row. */
const isLike = (column: RawBuilder<unknown>, text: string) =>
  sql<boolean>`${column} like (select search_pattern(${text}))`;

/**
 * Matches the term anywhere in the column, ignoring case and accents; wildcards are escaped. For a term of several
 * words, PostgreSQL would read the index entries of all their trigrams. Conditions on the two rarest words let it skip
 * most of these entries.
 */
export function contains(column: string, term: string): RawBuilder<boolean> {
  const indexed = sql.ref(column);
  // With another collation, PostgreSQL does not use the index, which it would read as a whole if there is no trigram.
  const unindexed = sql`${indexed} collate "C"`;
  const normalized = term.normalize('NFKC');
  const words = normalized.split(separators).filter((word) => word !== '');
  const indexedWords = [...new Set(words.filter(isIndexedWord))];
  if (indexedWords.length < 2) return isLike(hasTrigram.test(normalized) ? indexed : unindexed, term);
  const rarestWords = indexedWords
    .sort((one, other) => estimateRarity(other) - estimateRarity(one))
    .slice(0, 2);
  // The index finds a short word only together with the characters around it.
  const hasShortWord = indexedWords.length < words.length;
  return allOf([
    ...rarestWords.map((word) => isLike(indexed, word)),
    isLike(hasShortWord ? indexed : unindexed, term),
  ]);
}

/** A range, because a prepared statement cannot use an index for a pattern. */
export function startsWith(column: string, term: string): RawBuilder<boolean> {
  const text = sql`${sql.ref(column)} collate "C"`;
  const last = sql`chr(x'10ffff'::int)`;
  return sql`(${text} >= (select search_text(${term})) and ${text} <= (select search_text(${term}) || ${last}))`;
}

/** Compares digits only. A term without digits is searched for in the text, or in the number as it was written. */
export function containsPhone(column: string, writtenColumn: string, term: string): RawBuilder<boolean> {
  const digits = term.replace(/\D/g, '');
  if (digits !== '') return contains(column, digits);
  return contains(/\p{L}/u.test(term) ? column : writtenColumn, term);
}

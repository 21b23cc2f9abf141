import { z } from 'zod';
import { limits } from './limits.ts';

/** NUL cannot be stored and a lone surrogate is not text; only broken or hostile clients send them. */
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0');

const controlCharacter = /[\p{Cc}\u2028\u2029]/u;

const emailPattern = /^[^\s@"<>(),;:\\[\]]{1,64}@[^\s@"<>(),;:\\[\]]+\.[^\s@"<>(),;:\\[\].]{2,}$/u;

const isAbsent = (input: unknown) => input === undefined || input === null;

const anyText = (label: string, absent: string) =>
  z.string({ error: (issue) => (isAbsent(issue.input) ? absent : `${label} must be text`) });

const notStorable = (label: string) => `${label} contains characters that cannot be stored`;

const storableText = (label: string, absent: string) =>
  anyText(label, absent).refine(isStorable, notStorable(label));

/** Storable and on one line, in a single check: an import runs millions of them. */
const oneLine = (label: string) =>
  z.refine<string>((text) => !controlCharacter.test(text) && text.isWellFormed(), {
    error: ({ input }) =>
      isStorable(String(input)) ? `${label} must be a single line of text` : notStorable(label),
  });

const tooLong = (label: string, max: number) => `${label} must be at most ${max} characters`;

/** A trimmed single line; an empty one counts as missing. */
export function requiredLine(label: string, max: number, absent = `${label} is required`) {
  return anyText(label, absent).trim().min(1, absent).max(max, tooLong(label, max)).check(oneLine(label));
}

const emptyToNull = (text: string | null) => (text === '' ? null : text);

/** Null or an empty text means 'none'. */
const clearable = <Text extends z.ZodType<string>>(text: Text) =>
  text.nullable().transform(emptyToNull).optional();

/** An optional single line. */
export function optionalLine(label: string, max: number) {
  const text = anyText(label, `${label} must be text`).trim().max(max, tooLong(label, max));
  return clearable(text.check(oneLine(label)));
}

/** Optional text of any number of lines. */
export function optionalParagraphs(label: string, max: number) {
  return clearable(storableText(label, `${label} must be text`).trim().max(max, tooLong(label, max)));
}

/** Normalizing must not turn a compatibility character, such as a full-width comma or @, into a separator. */
const isEmailWhenNormalized = (text: string) =>
  /^\p{ASCII}*$/u.test(text) || emailPattern.test(text.normalize('NFKC'));

const isEmail = (text: string) => emailPattern.test(text) && isEmailWhenNormalized(text);

export const email = requiredLine('Email', limits.emailLength)
  .regex(emailPattern, 'Invalid email address')
  .refine(isEmailWhenNormalized, 'Invalid email address');

export const optionalEmail = clearable(
  storableText('Email', 'Email must be text')
    .trim()
    .max(limits.emailLength, tooLong('Email', limits.emailLength))
    .refine((text) => text === '' || isEmail(text), 'Invalid email address'),
);

/** Not trimmed: spaces are part of a password. */
export function password(label: string, absent: string, tooShort: string) {
  return storableText(label, absent)
    .min(1, absent)
    .max(limits.maxPasswordLength, tooLong(label, limits.maxPasswordLength))
    .refine((text) => text === '' || [...text].length >= limits.minPasswordLength, tooShort);
}

/** PostgreSQL has no year 0. */
const isCalendarDate = (text: string) => z.regexes.date.test(text) && !text.startsWith('0000');

const notADate = (label: string) => `${label} must be a date like 2026-01-31`;

export function requiredDate(label: string) {
  return requiredLine(label, 40).refine((text) => text === '' || isCalendarDate(text), notADate(label));
}

export function optionalDate(label: string) {
  const text = storableText(label, notADate(label)).trim();
  return clearable(text.refine((date) => date === '' || isCalendarDate(date), notADate(label)));
}

/** A search filter; a blank one counts as not given. */
export function filter(label: string) {
  return storableText(label, `${label} must be text`)
    .trim()
    .max(limits.searchTermLength, tooLong(label, limits.searchTermLength))
    .transform((text) => (text === '' ? undefined : text))
    .optional();
}

export function id(message: string) {
  return z.int({ error: message }).positive(message);
}

/** For the API description: URLs contain text, but clients pass numbers. */
export const describedAsInteger = (minimum: number, maximum: number) => ({
  type: 'integer',
  minimum,
  maximum,
  pattern: undefined,
});

const notAnId = 'The id must be a positive whole number';

/** In a path or a query string. */
export const idParam = z
  .string({ error: notAnId })
  .regex(/^[1-9]\d{0,15}$/, notAnId)
  .transform(Number)
  .refine(Number.isSafeInteger, notAnId)
  .meta(describedAsInteger(1, Number.MAX_SAFE_INTEGER));

export const idParams = z.strictObject({ id: idParam });

const notInRange = (name: string, min: number, max: number) =>
  `${name} must be a whole number from ${min} to ${max}`;

/** In a body. */
export const integerIn = (name: string, min: number, max: number) => {
  const message = notInRange(name, min, max);
  return z.int({ error: message }).min(min, message).max(max, message);
};

/** In a query string. */
export const wholeNumberIn = (name: string, min: number, max: number) => {
  const message = notInRange(name, min, max);
  return z
    .string({ error: message })
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .meta(describedAsInteger(min, max));
};

export const pageQuery = z.strictObject({
  page: wholeNumberIn('page', 1, 999_999_999).default(1),
  limit: wholeNumberIn('limit', 1, limits.maxPageSize).default(limits.pageSize),
});
export type PageQuery = z.infer<typeof pageQuery>;

export const searchLimit = integerIn('limit', 0, limits.maxSearchResults)
  .default(limits.maxSearchResults)
  .describe('At most this many records; 0 returns the count alone');

/** The last page ends with the last match that the server counts. */
export const searchOffset = integerIn('offset', 0, limits.maxSearchCount - limits.maxSearchResults)
  .default(0)
  .describe('Skips this many of the first matches');

/** For changes that also end the other sessions of the user. */
export const revokeTokens = z
  .boolean({ error: 'revoke_tokens must be true or false' })
  .optional()
  .describe('Also revokes your API tokens');

export const timestamp = z.iso.datetime();
export const count = z.int().nonnegative();
export const message = z.object({ message: z.string() });

/** For calls that take no input. */
export const noBody = z.strictObject({}).nullish();

/** Returned by every search, next to its records. */
const matchCountsUpTo = (max: number) => ({
  count: count.describe('All matches, not only those in this response'),
  count_is_capped: z
    .boolean()
    .describe(
      `True if there are more than ${max}, or may be more than counted: for phrases of common words, and words of very many records, the server looks at the newest documents only`,
    ),
});
export const matchCounts = matchCountsUpTo(limits.maxSearchCount);
export const hitCounts = matchCountsUpTo(limits.maxHits);

/** Returned with every page of a list, next to its records. */
export const pageCounts = {
  count: count.describe('Records in this response'),
  total: count,
  totalPages: count,
};

import type { DocumentSearchInput } from '@customer-database/contract/documents';
import { parseQuestion, type Term } from '@customer-database/words/question';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/client.ts';
import { compiledOnce, type Parameter } from '../../db/compiled.ts';
import { allOf, type Days, withinDays } from '../../db/conditions.ts';
import { totalOf } from '../../db/counts.ts';
import { type Matches, matchesOf, maxCounted, search } from '../../search/bounded-search.ts';
import { hasSequences, hasWords, newestOf } from '../../search/document-words.ts';
import { contains } from '../../search/filters.ts';
import type { Searcher } from '../../search/limit.ts';
import { findWithPhrases } from '../../search/phrases.ts';
import { type ListedDocument, newestFirst, withNames } from './repo.ts';

/** Whether the document has all words. With `newestDocuments`, compares only so many of those that have them. */
function containsText(terms: Term[], newestDocuments: number | undefined): RawBuilder<boolean> {
  if (terms.every(({ isExcluded }) => isExcluded)) return sql`false`;
  const id = sql.ref('documents.id');
  if (newestDocuments === undefined) {
    return allOf([
      sql`exists (select from document_words where document_id = ${id} and ${hasWords(terms)})`,
      hasSequences(id, terms),
    ]);
  }
  return sql`documents.id in (
    select document_id from (
      ${newestOf(sql`select document_id from document_words where ${hasWords(terms)}`, newestDocuments)}
    ) as candidates where ${hasSequences(sql.ref('candidates.document_id'), terms)}
  )`;
}

function filtersOf(
  { customer_name, customer_email, filename }: DocumentSearchInput,
  text: RawBuilder<boolean> | undefined,
): RawBuilder<boolean>[] {
  return [
    customer_name === undefined ? undefined : contains('customers.name_search', customer_name),
    customer_email === undefined ? undefined : contains('customers.email_search', customer_email),
    filename === undefined ? undefined : contains('documents.filename_search', filename),
    text,
  ].filter((filter) => filter !== undefined);
}

type Input = DocumentSearchInput & { timeZone: string };
type Page = { limit: number; offset: number };

const uploadedWithin = (days: Days) => withinDays('documents.uploaded_at', days);

const uploadedWithinParameters = (value: Parameter<Days>) =>
  uploadedWithin({ from: value('from'), to: value('to'), timeZone: value('timeZone') });

const selectWithin = compiledOnce((db, value: Parameter<Days & Page>) =>
  newestFirst(db).where(uploadedWithinParameters(value)).limit(value('limit')).offset(value('offset')),
);

const countWithin = compiledOnce((db, value: Parameter<Days>) => {
  const counted = db
    .selectFrom('documents')
    .select('id')
    .where(uploadedWithinParameters(value))
    .limit(maxCounted);
  return db.selectFrom(counted.as('counted')).select((eb) => eb.fn.countAll<number>().as('count'));
});

/** Without other filters, the index of the list has the documents in order. */
async function searchByDays(
  db: Database,
  { date_from, date_to, limit, offset, timeZone }: Input,
): Promise<FoundDocuments> {
  const days = { from: date_from || '-infinity', to: date_to || 'infinity', timeZone };
  const documents = await selectWithin(db, { ...days, limit, offset });
  if (!date_from && !date_to) {
    return { documents, matches: { count: await totalOf(db, 'documents'), isCapped: false } };
  }
  const [counted] = await countWithin(db, days);
  return { documents, matches: matchesOf(counted?.count ?? 0) };
}

// If one document in eighty matches, 40,000 documents contain the largest result.
const maxScanned = 40_000;

export type FoundDocuments = { documents: ListedDocument[]; matches: Matches };

async function searchByFilters(
  searcher: Searcher,
  input: Input,
  filters: RawBuilder<boolean>[],
  timeoutMs?: number,
): Promise<FoundDocuments> {
  const isOfCustomer = input.customer_name !== undefined || input.customer_email !== undefined;
  const customers = isOfCustomer ? sql`join customers on customers.id = documents.customer_id` : sql``;
  const keys = sql`select documents.id as key_id, documents.uploaded_at as key_time`;
  const within = uploadedWithin({ from: input.date_from, to: input.date_to, timeZone: input.timeZone });
  const matching = sql`${keys} from documents ${customers} where ${allOf([...filters, within])}`;
  const inOrder = sql`order by documents.uploaded_at desc, documents.id desc`;
  const newest = sql`select * from documents where ${within} ${inOrder} limit ${sql.lit(maxScanned)}`;
  // If many documents match, the newest ones contain enough of them. Otherwise PostgreSQL reads all matches.
  const leading = (max: number) => sql`
    with recent as materialized (
      ${keys} from (${newest}) as documents ${customers} where ${allOf(filters)} ${inOrder} limit ${max}
    )
    table recent
    union all
    (${matching} and (select count(*) from recent) < ${max} ${inOrder} limit ${max})`;
  const { records, matches } = await search<ListedDocument>(
    searcher,
    {
      matching,
      leading,
      order: sql`key_time desc, key_id desc`,
      records: withNames(searcher.db),
      plansEachTime: input.text !== undefined,
      timeoutMs,
    },
    input,
  );
  return { documents: records, matches };
}

/** Newest first. */
export async function searchDocuments(searcher: Searcher, input: Input): Promise<FoundDocuments> {
  if (input.text === undefined) {
    const filters = filtersOf(input, undefined);
    return filters.length === 0
      ? searchByDays(searcher.db, input)
      : searchByFilters(searcher, input, filters);
  }
  const terms = parseQuestion(input.text);
  const { found, isPartial } = await findWithPhrases(terms, ({ timeoutMs, newestDocuments }) =>
    searchByFilters(searcher, input, filtersOf(input, containsText(terms, newestDocuments)), timeoutMs),
  );
  return isPartial ? { ...found, matches: { ...found.matches, isCapped: true } } : found;
}

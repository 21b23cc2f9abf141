import { sql } from 'kysely';
import type { Database } from '../../db/client.ts';

// Without numbers, very short words, and scripts without spaces between words: their words are pairs of characters, of
// which only those with marks are longer than two.
const ofLetters = '^[^0-9\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff]';
const isKnowable = sql`lexeme ~ ${`${ofLetters}{3,}$`}`;
export const correctable = new RegExp(`${ofLetters}{3,30}$`);

/** In order, so that two servers that add the same words cannot deadlock. */
const missingWords = sql`where ${isKnowable} order by lexeme on conflict do nothing`;

/**
 * Adds the words of one page of a document, or of all its pages. Call it after the transaction that saves the pages, or
 * others that add the same words wait for its end.
 */
export async function addWordsOfPages(db: Database, documentId: number, page?: number): Promise<void> {
  const isWanted = page === undefined ? sql`true` : sql`page = ${page}`;
  await sql`
    insert into known_words
    select distinct lexeme from (
      select unnest(tsvector_to_array(words)) as lexeme from document_pages
      where document_id = ${documentId} and ${isWanted}
    ) as found ${missingWords}`.execute(db);
}

const recordsPerBatch = 2_000;

/** Adds the words of the next customers and documents. False if there are no more. */
export async function addWordsOfRecords(db: Database): Promise<boolean> {
  const { rows } = await sql<{ records: number }>`
    with next_customers as materialized (
      select id, words from customers where id > (select customer_id from collected_words)
      order by id limit ${recordsPerBatch}
    ),
    next_documents as materialized (
      select document_id as id, words from document_texts
      where document_id > (select document_id from collected_words)
      order by document_id limit ${recordsPerBatch}
    ),
    added as (
      insert into known_words
      select distinct lexeme from (
        select unnest(tsvector_to_array(words)) as lexeme from (
          select words from next_customers union all select words from next_documents
        ) as records
      ) as found ${missingWords}
    )
    update collected_words set
      customer_id = coalesce((select max(id) from next_customers), customer_id),
      document_id = coalesce((select max(id) from next_documents), document_id)
    returning (select count(*) from next_customers)::int + (select count(*) from next_documents)::int as records
  `.execute(db);
  return (rows[0]?.records ?? 0) > 0;
}

export async function restartCollection(db: Database): Promise<void> {
  await db.updateTable('collected_words').set({ customer_id: 0, document_id: 0 }).execute();
}

// Looking up a word that is on millions of pages takes seconds, and statements time out after 30 s.
const wordsPerBatch = 50;

export async function listWords(db: Database, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom('known_words')
    .select('word')
    .where('word', '>', after)
    .orderBy('word')
    .limit(wordsPerBatch)
    .execute();
  return rows.map(({ word }) => word);
}

/** Deletes those of the words that no record and no page has. */
export async function deleteUnusedWords(db: Database, words: string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Forces a look into the GIN indexes: the planner cannot know how rare each word is.
    await sql`set local enable_seqscan = off`.execute(tx);
    await sql`set local enable_indexscan = off`.execute(tx);
    await sql`
      with looked_up as materialized (
        select word, quote_literal(word)::tsquery as query from unnest(${words}::text[]) as word
      )
      delete from known_words using looked_up
      where known_words.word = looked_up.word
        and not exists (select from document_words where words @@ query)
        and not exists (select from document_texts where words @@ query)
        and not exists (select from customers where words @@ query)`.execute(tx);
  });
}

const isInsideOf = (column: string) => sql<boolean>`known_words.word like '%' || ${sql.ref(column)} || '%'`;

/** The words that are neither the beginning nor a part of any known word. Parts of three letters are in too many. */
export async function selectUnknownWords(db: Database, words: string[]): Promise<string[]> {
  const last = sql`chr(x'10ffff'::int)`;
  const { rows } = await sql<{ word: string }>`
    select word from unnest(${words}::text[]) as asked (word)
    where not exists (
      select from known_words where known_words.word >= asked.word and known_words.word <= asked.word || ${last}
    )
    and (length(asked.word) < 4 or not exists (select from known_words where ${isInsideOf('asked.word')}))`.execute(
    db,
  );
  return rows.map(({ word }) => word);
}

// The shortest ones: those are most like the word.
const maxLongerWords = 50;

/** Known words that contain one of the words and begin otherwise. */
export async function selectLongerWords(
  db: Database,
  words: string[],
): Promise<{ word: string; longer: string[] }[]> {
  const { rows } = await sql<{ word: string; longer: string[] }>`
    select asked.word, array_agg(found.word) as longer
    from unnest(${words}::text[]) as asked (word)
    cross join lateral (
      select word from known_words
      where ${isInsideOf('asked.word')} and not starts_with(known_words.word, asked.word)
      order by length(word), word limit ${sql.lit(maxLongerWords)}
    ) as found
    group by asked.word`.execute(db);
  return rows;
}

const maxCandidates = 50;

/** Known words that share many trigrams with the word, or that are one of its variants. */
export async function selectCandidates(db: Database, word: string, variants: string[]): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    (select word from known_words where word % ${word}
      order by similarity(word, ${word}) desc, word limit ${maxCandidates})
    union
    select word from known_words where word = any(${variants}::text[])`.execute(db);
  return rows.map((row) => row.word);
}

const maxCountedRecords = 1_000;

/** The number of documents and customers that have each word, up to a limit. */
export async function countRecordsWith(db: Database, words: string[]): Promise<Map<string, number>> {
  // One select for each word, because the best plan depends on how common it is.
  const counts = words.map((word) => {
    const countIn = (table: string) => sql`(
      select count(*) from (
        select from ${sql.table(table)} where words @@ ${word}::tsquery limit ${sql.lit(maxCountedRecords)}
      ) as found
    )`;
    return sql`select ${word} as word, (${countIn('document_words')} + ${countIn('customers')})::int as records`;
  });
  const { rows } = await sql<{
    word: string;
    records: number;
  }>`${sql.join(counts, sql` union all `)}`.execute(db);
  return new Map(rows.map(({ word, records }) => [word, records]));
}

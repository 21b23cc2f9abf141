import { vectorOf } from '@customer-database/words/vector';
import { tokenizerVersion } from '@customer-database/words/words';
import type pg from 'pg';
import type { Data } from '../dataset/cached-installation.ts';
import { copyRows, type Value } from '../dataset/copy.ts';
import { makeRecords, type Size, withoutSearchIndexes } from '../dataset/make.ts';
import { quickRandom } from '../dataset/random.ts';
import { progress } from '../progress.ts';
import { drawWord, naturalWords } from './natural-words.ts';

export const pagesPerDocument = 3;
export const wordsPerPage = 300;
const wordsPerSentence = 12;
// Preparing the words of two million texts would take hours.
export const maxTexts = 100_000;

function pageText(random: () => number): string {
  const words = Array.from({ length: wordsPerPage }, (_, index) => {
    const word = drawWord(random);
    if (index % wordsPerSentence === 0) return word.charAt(0).toUpperCase() + word.slice(1);
    return index % wordsPerSentence === wordsPerSentence - 1 ? `${word}.` : word;
  });
  return words.join(' ');
}

function* pageRows(documents: number, report: (done: number) => void): Generator<Value[]> {
  const random = quickRandom(1);
  for (let id = 1; id <= documents; id += 1) {
    if (id % 10_000 === 0) report(id);
    for (let page = 1; page <= pagesPerDocument; page += 1) {
      const text = pageText(random);
      yield [id, page, text, vectorOf(text)];
    }
  }
}

/** Gives documents without pages the text of others. Their words differ by those of their records. */
async function repeatTexts(client: pg.ClientBase, documents: number): Promise<void> {
  for (let made = maxTexts; made < documents; made += maxTexts) {
    progress(`pages of ${made.toLocaleString('en')} documents of ${documents.toLocaleString('en')}`);
    const isWanted = 'document_id between 1 and least($1::int, $2::int - $3::int)';
    const values = [maxTexts, documents, made];
    await client.query(
      `insert into document_pages (document_id, page, content, words)
       select document_id + $3, page, content, words from document_pages where ${isWanted}`,
      values,
    );
    await client.query(
      `insert into document_words (document_id, words)
       select texts.document_id, ts_filter(source.words, '{d}') || setweight(texts.words, 'A')
       from (select * from document_words where ${isWanted}) as source
       join document_texts as texts on texts.document_id = source.document_id + $3`,
      values,
    );
  }
}

/** Records, and pages of natural words in each document. */
export const pagesOf = (size: Size): Data => ({
  name: `search-${size.customers}-${size.documents}-v3`,
  async make(client) {
    await makeRecords(client, size);
    await withoutSearchIndexes(client, ['document_words'], async () => {
      const texts = Math.min(size.documents, maxTexts);
      const rows = pageRows(texts, (done) =>
        progress(`pages of ${done.toLocaleString('en')} documents of ${size.documents.toLocaleString('en')}`),
      );
      await copyRows(client, 'document_pages', ['document_id', 'page', 'content', 'words'], rows);
      progress('the words of documents');
      await client.query('select collect_document_words(id) from documents where id <= $1', [texts]);
      await repeatTexts(client, size.documents);
      progress('the index of documents');
    });
    await client.query(`update document_texts set state = 'ready', language = 'eng', page_count = $1`, [
      pagesPerDocument,
    ]);
    // Some of the rarest are on no page.
    await client.query(
      `insert into known_words select distinct word from unnest($1::text[]) as word
       where length(word) between 3 and 30
         and exists (select from document_words where words @@ word::tsquery)`,
      [naturalWords.map(({ word }) => word)],
    );
    // The words are those of this version.
    await client.query('update prepared_words set tokenizer = $1', [tokenizerVersion]);
    await client.query('vacuum (analyze) document_texts, document_pages, document_words, known_words');
  },
});

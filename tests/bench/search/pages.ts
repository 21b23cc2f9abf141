import { vectorOf } from '@customer-database/words/vector';
import { tokenizerVersion } from '@customer-database/words/words';
import type { Data } from '../dataset/cached-installation.ts';
import { copyRows, type Value } from '../dataset/copy.ts';
import { makeRecords, type Size, withoutSearchIndexes } from '../dataset/make.ts';
import { quickRandom } from '../dataset/random.ts';
import { progress } from '../progress.ts';
import { drawWord, naturalWords } from './natural-words.ts';

export const pagesPerDocument = 3;
export const wordsPerPage = 300;
const wordsPerSentence = 12;

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

/** Records, and pages of natural words in each document. */
export const pagesOf = (size: Size): Data => ({
  name: `search-${size.customers}-${size.documents}-v3`,
  async make(client) {
    await makeRecords(client, size);
    await withoutSearchIndexes(client, ['document_words'], async () => {
      const rows = pageRows(size.documents, (done) =>
        progress(`pages of ${done.toLocaleString('en')} documents of ${size.documents.toLocaleString('en')}`),
      );
      await copyRows(client, 'document_pages', ['document_id', 'page', 'content', 'words'], rows);
      progress('the words of documents');
      await client.query('select collect_document_words(id) from documents');
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

import { makeUser, type TestUser } from '@customer-database/testkit/factories';
import { search } from '@customer-database/testkit/search';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

// As in modules/search/repo.ts.
const maxCandidates = 20_000;

let app: TestApp;
let staff: TestUser;

async function counted(group: 'documents' | 'text', q: string) {
  const { documents, pages } = await search(staff.client, q, { in: group });
  const { count, count_is_capped } = group === 'text' ? pages : documents;
  return { count, count_is_capped };
}

/** Documents of one customer, all with these words on their only page. The name of the customer is in their words too. */
async function insertDocuments(customer: string, count: number, words: string): Promise<void> {
  await app.pool.query(
    `with customer as (
       insert into customers (name, words, created_at, updated_at)
       values ($1, setweight(to_tsvector('simple', $1), 'A'), now(), now()) returning id
     )
     insert into documents
       (customer_id, filename, filename_key, mime_type, file_size, sha256, storage_key, uploaded_at)
     select id, n, n, 'text/plain', 1, '', gen_random_uuid(), now() from customer, generate_series(1, $2::int) as n`,
    [customer, count],
  );
  await app.pool.query(
    `with pages as (
       insert into document_pages (document_id, page, content, words)
       select document_id, 1, $1, to_tsvector('simple', $1) from document_texts
       where not exists (select from document_pages where document_id = document_texts.document_id)
       returning document_id, words
     )
     insert into document_words (document_id, words)
     select document_id, pages.words || setweight(document_texts.words, 'A')
     from pages join document_texts using (document_id)`,
    [words],
  );
}

beforeAll(async () => {
  app = await startTestApp();
  staff = await makeUser(app, 'staff');
  await insertDocuments('Farquhar', 1, 'farquhar lease');
  await insertDocuments('Farquhar', maxCandidates - 2, 'covenant');
  await app.pool.query('vacuum analyze');
});

describe('A search whose words are in very many records, but on few pages', () => {
  it('counts exactly up to the limit, and says beyond it that there may be more', async () => {
    expect(await counted('text', 'farquhar')).toEqual({ count: 1, count_is_capped: false });
    expect(await counted('documents', 'farquhar -covenant')).toEqual({ count: 1, count_is_capped: false });
    await insertDocuments('Farquhar', 1, 'covenant');
    expect(await counted('text', 'farquhar')).toEqual({ count: 1, count_is_capped: true });
    expect(await counted('documents', 'farquhar -lease')).toEqual({ count: 500, count_is_capped: true });
    expect(await counted('text', 'covenant')).toEqual({ count: 500, count_is_capped: true });
    expect(await counted('text', 'lease')).toEqual({ count: 1, count_is_capped: false });
    await insertDocuments('Farquhar', 1, 'covenant');
    expect(await counted('documents', 'farquhar -covenant')).toEqual({ count: 0, count_is_capped: true });
  });
});

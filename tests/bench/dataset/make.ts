import { customerFields } from '@customer-database/contract/customers';
import { documentTypes } from '@customer-database/contract/documents';
import type pg from 'pg';
import { wordsOfCustomer, wordsOfDocument } from '../../../server/src/search/record-words.ts';
import { progress } from '../progress.ts';
import type { Data } from './cached-installation.ts';
import { copyRows, type Value } from './copy.ts';
import { papersOf } from './papers.ts';
import { type Person, person } from './people.ts';
import { quickRandom } from './random.ts';

export type Size = { customers: number; documents: number };

const customerColumns = ['id', ...customerFields, 'words', 'created_at', 'updated_at'];
const documentColumns = [
  ...['customer_id', 'filename', 'filename_key', 'description', 'words', 'mime_type', 'file_size', 'sha256'],
  ...['storage_key', 'uploaded_at'],
];

const timeSpanMs = 5 * 365 * 24 * 3_600_000;

type CountRows = (done: number) => void;

/** Spreads customers evenly over the years. */
const createdAt = (index: number, size: Size, until: number) =>
  until - timeSpanMs * (1 - (index + 1) / (size.customers + 1));

function* customerRows(size: Size, until: number, report: CountRows): Generator<Value[]> {
  for (let index = 0; index < size.customers; index += 1) {
    if (index % 20_000 === 0) report(index);
    const customer = person(index);
    const at = new Date(createdAt(index, size, until)).toISOString();
    const values = customerFields.map((field) => customer[field]);
    yield [index + 1, ...values, wordsOfCustomer(customer), at, at];
  }
}

type Paper = ReturnType<typeof papersOf>[number];

/** Fills up with one more per customer when the random draw gave too few. */
function* papers(size: Size): Generator<{ index: number; paper: Paper }> {
  const mean = size.documents / size.customers;
  let count = 0;
  for (let index = 0; index < size.customers; index += 1) {
    const owner: Person = person(index);
    for (const paper of papersOf(index, owner, mean)) {
      if (count === size.documents) return;
      count += 1;
      yield { index, paper };
    }
  }
  for (; count < size.documents; count += 1) {
    const filename = `Scan ${count}.pdf`;
    const paper: Paper = { filename, key: filename.toLowerCase(), kind: 'pdf', description: null };
    yield { index: count % size.customers, paper };
  }
}

function* documentRows(size: Size, until: number, report: CountRows): Generator<Value[]> {
  const random = quickRandom(size.documents);
  let number = 0;
  for (const { index, paper } of papers(size)) {
    if (number % 20_000 === 0) report(number);
    number += 1;
    const from = createdAt(index, size, until);
    const at = new Date(from + (until - from) * random()).toISOString();
    const checksum = `\\x${number.toString(16).padStart(64, '0')}`;
    const mimeType = documentTypes[`.${paper.kind}`];
    const fileSize = 1_000 + Math.floor(random() ** 4 * 5_000_000);
    yield [
      index + 1,
      paper.filename,
      paper.key,
      paper.description,
      wordsOfDocument(paper),
      mimeType,
      fileSize,
      checksum,
      `bench/${number}`,
      at,
    ];
  }
}

/** Building an index once is many times faster than filling it row by row. */
export async function withoutSearchIndexes(
  client: pg.ClientBase,
  tables: string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes
     where schemaname = 'public' and tablename = any($1) and indexdef like '% USING gin %'`,
    [tables],
  );
  for (const { indexname } of rows) await client.query(`drop index ${indexname}`);
  await work();
  for (const { indexdef } of rows) await client.query(indexdef);
}

export async function makeRecords(client: pg.ClientBase, size: Size): Promise<void> {
  const until = Date.now();
  const report = (noun: string, of: number) => (done: number) =>
    progress(`${noun} ${done.toLocaleString('en')} of ${of.toLocaleString('en')}`);
  await client.query(`set maintenance_work_mem = '1GB'`);
  await withoutSearchIndexes(client, ['customers', 'documents'], async () => {
    const customers = customerRows(size, until, report('customers', size.customers));
    await copyRows(client, 'customers', customerColumns, customers);
    await client.query(`select setval(pg_get_serial_sequence('customers', 'id'), $1)`, [size.customers]);
    const documents = documentRows(size, until, report('documents', size.documents));
    await copyRows(client, 'documents', documentColumns, documents);
    progress('search indexes');
  });
  // As if all had been read, because there are no files.
  await client.query(`update document_texts set state = 'none', read_at = now()`);
  await client.query(
    `insert into document_files (document_id, kind, storage_key, file_size, made_at)
     select id, 'thumbnail', 'bench/thumbnail/' || id, 5000, now() from documents`,
  );
  progress('statistics');
  await client.query('vacuum (analyze) customers, documents, document_texts, document_files, record_counts');
}

export const recordsOf = (size: Size): Data => ({
  name: `${size.customers}-${size.documents}-v3`,
  make: (client) => makeRecords(client, size),
});

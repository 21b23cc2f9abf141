import { customerFields } from '@customer-database/contract/customers';
import { vectorOf } from '@customer-database/words/vector';
import { tokenizerVersion } from '@customer-database/words/words';
import { sql } from 'kysely';
import type { Deps, JobDeps } from '../core/deps.ts';
import type { Database } from '../db/client.ts';
import { withOwnConnection } from '../db/own-connection.ts';
import type { Job } from '../jobs/job.ts';
import { wake } from '../jobs/queue.ts';
import { collectWords } from './document-words.ts';
import { searchedDocumentFields, wordsOfCustomer, wordsOfDocument } from './record-words.ts';
import { addWordsOfPages } from './vocabulary/commands.ts';

type Values = Record<string, string | null>;

/** A table with words, whose rows belong to records: a document has many pages. */
type Kind = {
  name: 'customers' | 'documents' | 'pages';
  table: 'customers' | 'documents' | 'document_pages';
  records: 'customers' | 'documents';
  recordsPerBatch: number;
  idColumn: 'id' | 'document_id';
  fields: readonly string[];
  wordsOf(values: Values): string;
  /** What follows from the words of a record. */
  after?(db: Database, id: number): Promise<void>;
};

const kinds: Kind[] = [
  {
    name: 'customers',
    table: 'customers',
    records: 'customers',
    recordsPerBatch: 500,
    idColumn: 'id',
    fields: customerFields,
    wordsOf: wordsOfCustomer,
  },
  {
    name: 'documents',
    table: 'documents',
    records: 'documents',
    recordsPerBatch: 500,
    idColumn: 'id',
    fields: searchedDocumentFields,
    wordsOf: wordsOfDocument,
  },
  {
    name: 'pages',
    table: 'document_pages',
    records: 'documents',
    recordsPerBatch: 5,
    idColumn: 'document_id',
    fields: ['content'],
    wordsOf: ({ content }) => vectorOf(content ?? ''),
    async after(db, id) {
      await collectWords(db, id);
      await addWordsOfPages(db, id);
    },
  },
];

/** Begins with the newest records if another version of the tokenizer prepared their words. */
async function startOver(db: Database, { name, records }: Kind): Promise<void> {
  await sql`
    update prepared_words set tokenizer = ${tokenizerVersion},
      next_id = (select coalesce(max(id), 0) from ${sql.table(records)})
    where kind = ${name} and tokenizer <> ${tokenizerVersion}`.execute(db);
}

async function selectNextIds(db: Database, { name, records, recordsPerBatch }: Kind): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(records)}
    where id <= (select next_id from prepared_words where kind = ${name})
    order by id desc limit ${recordsPerBatch}`.execute(db);
  return rows.map(({ id }) => id);
}

type Row = { ctid: string; xmin: string; values: Values };

function selectRows(db: Database, { table, idColumn, fields }: Kind, ids: number[]): Promise<Row[]> {
  const values = sql.join(fields.flatMap((field) => [sql.lit(field), sql.ref(field)]));
  return sql<Row>`
    select ctid::text, xmin::text, jsonb_build_object(${values}) as values
    from ${sql.table(table)} where ${sql.ref(idColumn)} = any(${ids})`
    .execute(db)
    .then(({ rows }) => rows);
}

/** A row that changed meanwhile has another xmin, and the words of its new values. */
async function saveWords(db: Database, { table }: Kind, { ctid, xmin }: Row, words: string): Promise<void> {
  await sql`
    update ${sql.table(table)} set words = ${words}
    where ctid = ${ctid}::tid and xmin = ${xmin}::xid and words <> ${words}::tsvector`.execute(db);
}

async function prepareKind(db: Database, kind: Kind, stopping: AbortSignal): Promise<void> {
  await startOver(db, kind);
  let hasMore = true;
  while (hasMore && !stopping.aborted) {
    const ids = await selectNextIds(db, kind);
    // One row at a time: a transaction with several could deadlock with one that renames their customer.
    for (const row of await selectRows(db, kind, ids))
      await saveWords(db, kind, row, kind.wordsOf(row.values));
    for (const id of ids) await kind.after?.(db, id);
    hasMore = ids.length === kind.recordsPerBatch;
    const next_id = hasMore ? Math.min(...ids) - 1 : 0;
    await db.updateTable('prepared_words').set({ next_id }).where('kind', '=', kind.name).execute();
  }
}

async function isDone(db: Database): Promise<boolean> {
  const rows = await db.selectFrom('prepared_words').select(['tokenizer', 'next_id']).execute();
  return rows.every(({ tokenizer, next_id }) => tokenizer === tokenizerVersion && next_id === 0);
}

/** Prepares the words of what is there already, after an upgrade that changes the tokenizer, and after a restore. */
export const prepareWordsJob: Job<JobDeps, object> = {
  name: 'prepare-words',
  schedule: '* * * * *',
  canBeWoken: true,
  async run({ db, pool, stopping }) {
    if (await isDone(db)) return;
    await withOwnConnection(pool, async (own) => {
      // What a crash loses is done again, so that no row has to wait for the disk.
      await sql`set synchronous_commit = off`.execute(own.db);
      for (const kind of kinds) await prepareKind(own.db, kind, stopping);
    });
  },
};

/** At the start of a server, so that searches miss words of an upgraded installation no longer than necessary. */
export async function prepareWordsNow({ db, log }: Deps): Promise<void> {
  await wake(db, prepareWordsJob).catch((err: unknown) =>
    log.warn({ err }, 'the job that prepares words was not woken; the schedule starts it'),
  );
}

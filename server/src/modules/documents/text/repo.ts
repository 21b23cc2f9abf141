import type { TextState } from '@customer-database/contract/documents';
import type { PageQuery } from '@customer-database/contract/fields';
import { limits } from '@customer-database/contract/limits';
import type { ExtractedPage, ExtractedText, RecognisedPicture } from '@customer-database/extractor/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../db/client.ts';
import { collectWords } from '../../../search/document-words.ts';
import { listUsersInTurn, type Turn } from './turns.ts';

export type LeasedFile = {
  id: number;
  uploaded_by: number;
  file_size: number;
  sha256: Buffer;
  storage_key: string;
  /** Including the current one. */
  attempts: number;
};

const leaseColumns = sql`documents.id, document_texts.uploaded_by, documents.file_size, documents.sha256,
  documents.storage_key, document_texts.attempts`;

// Longer than any attempt takes.
const leaseMs = 5 * 60_000;

type Lease = { kind: Turn['kind']; condition: RawBuilder<unknown>; columns: RawBuilder<unknown> };

/**
 * Leases the newest waiting document of the user whose turn it is, so that no other caller gets it. Counts the attempt
 * in advance, so that a document that crashes the server is not retried for ever.
 */
async function lease<Row>(db: Database, now: Date, { kind, condition, columns }: Lease) {
  const queue = { kind, table: 'document_texts', userColumn: 'uploaded_by', condition } as const;
  for (const uploader of await listUsersInTurn(db, queue)) {
    const { rows } = await sql<Row>`
      update document_texts set attempts = attempts + 1, claimed_until = ${new Date(now.getTime() + leaseMs)}
      from documents
      where documents.id = document_id and document_id = (
        select document_id from document_texts
        where ${condition} and uploaded_by = ${uploader} and (claimed_until is null or claimed_until < ${now})
        order by document_id desc limit 1 for update skip locked
      )
      returning ${columns}`.execute(db);
    if (rows[0]) return rows[0];
  }
  return undefined;
}

export function leaseText(db: Database, now: Date): Promise<LeasedFile | undefined> {
  return lease(db, now, { kind: 'text', condition: sql`read_at is null`, columns: leaseColumns });
}

/** The page is null if all pages were read meanwhile. */
export type LeasedPicture = LeasedFile & { page: number | null };

export function leasePicture(db: Database, now: Date): Promise<LeasedPicture | undefined> {
  const page = sql`(
    select min(page) from document_pages
    where document_pages.document_id = document_texts.document_id and is_picture
  ) as page`;
  const columns = sql`${leaseColumns}, ${page}`;
  return lease(db, now, { kind: 'pictures', condition: sql`pictures_left > 0`, columns });
}

/** Retries the document at this time. The attempt counts. */
export async function postpone(db: Database, id: number, until: Date): Promise<void> {
  await db
    .updateTable('document_texts')
    .set({ claimed_until: until })
    .where('document_id', '=', id)
    .execute();
}

/** For failures that the document did not cause: the attempt does not count. */
export async function releaseLease(db: Database, id: number): Promise<void> {
  await db
    .updateTable('document_texts')
    .set((eb) => ({ attempts: eb('attempts', '-', 1), claimed_until: null }))
    .where('document_id', '=', id)
    .execute();
}

/** Locks before the pages, because a deletion locks in this order: the document, its text, its pages. */
async function lockText(db: Database, id: number): Promise<void> {
  await db
    .selectFrom('document_texts')
    .select('document_id')
    .where('document_id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

const pagesPerInsert = 200;

async function insertPages(db: Database, id: number, pages: ExtractedPage[]): Promise<void> {
  for (let start = 0; start < pages.length; start += pagesPerInsert) {
    const batch = pages.slice(start, start + pagesPerInsert);
    await sql`
      insert into document_pages (document_id, page, content, words, is_picture)
      select ${id}, page, content, words::tsvector, is_picture
      from unnest(${batch.map(({ page }) => page)}::int[], ${batch.map(({ text }) => text)}::text[],
        ${batch.map(({ words }) => words)}::text[], ${batch.map(({ isPicture }) => isPicture)}::boolean[])
        as added (page, content, words, is_picture)`.execute(db);
  }
}

export type SavedText = { state: TextState; reason?: string; text?: ExtractedText };

/** Prevents the deletion of a document. False if it was deleted. */
async function lockDocument(db: Database, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('documents')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Call it in a transaction. Replaces the earlier text. Does nothing if the document was deleted. */
export async function saveText(
  db: Database,
  id: number,
  now: Date,
  { state, reason, text }: SavedText,
): Promise<void> {
  const pages = text?.pages ?? [];
  // Locks in the order of a deletion. Without this, the caller's row in document_files would lock the document last.
  if (!(await lockDocument(db, id))) return;
  await db
    .updateTable('document_texts')
    .set({
      state,
      reason: reason ?? null,
      page_count: text?.pageCount ?? null,
      language: text?.language ?? null,
      pictures_left: pages.filter(({ isPicture }) => isPicture).length,
      attempts: 0,
      claimed_until: null,
      read_at: now,
    })
    .where('document_id', '=', id)
    .execute();
  await db.deleteFrom('document_pages').where('document_id', '=', id).execute();
  await insertPages(db, id, pages);
  await collectWords(db, id);
}

// Collecting takes a second for a document of thousands of pages, each of which OCR reads in seconds.
const picturesPerCollection = 10;

export type SavedPicture = {
  /** Undefined if OCR failed: the page keeps the text that it has. */
  found: RecognisedPicture | undefined;
  /** Why OCR failed, for a document that has no text. */
  reason: string | undefined;
  /** Counts as an attempt for the next page, so that a document with several such pages is given up. */
  isExceeded: boolean;
};

/** Call it in a transaction. */
export async function savePicture(
  db: Database,
  { id, page }: { id: number; page: number | null },
  { found, reason, isExceeded }: SavedPicture,
): Promise<void> {
  await lockText(db, id);
  await sql`
    update document_pages set is_picture = false, content = coalesce(${found?.text ?? null}, content),
      words = coalesce(${found?.words ?? null}::text::tsvector, words),
      boxes = ${found ? JSON.stringify(found.boxes) : null}::jsonb
    where document_id = ${id} and page = ${page}`.execute(db);
  const { rows } = await sql<{ pictures_left: number }>`
    with left_over as (
      select count(*) filter (where is_picture) as pictures, bool_or(content <> '') as has_text,
        coalesce(reason, ${reason ?? null}) as reason
      from document_texts left join document_pages using (document_id) where document_id = ${id} group by reason
    )
    update document_texts set attempts = case when ${isExceeded} then attempts else 0 end,
      claimed_until = null, pictures_left = left_over.pictures,
      language = coalesce(language, ${found?.language ?? null}),
      reason = case when left_over.has_text is not true then left_over.reason end,
      state = case when left_over.has_text then 'ready' when left_over.pictures > 0 then 'waiting'
        when left_over.reason is not null then 'failed' else 'none' end
    from left_over where document_id = ${id}
    returning pictures_left`.execute(db);
  if ((rows[0]?.pictures_left ?? 0) % picturesPerCollection === 0) await collectWords(db, id);
}

export type TextPage = Awaited<ReturnType<typeof listPages>>[number];

export async function listPages(db: Database, id: number, { page, limit }: PageQuery) {
  const first = (page - 1) * limit;
  return db
    .selectFrom('document_pages')
    .select(['page', 'content', 'is_picture'])
    .where('document_id', '=', id)
    .where('page', '>', first)
    .where('page', '<=', first + limit)
    .orderBy('page')
    .execute();
}

export async function countPages(db: Database, id: number): Promise<number> {
  const row = await db
    .selectFrom('document_pages')
    .select((eb) => eb.fn.max('page').as('last'))
    .where('document_id', '=', id)
    .executeTakeFirst();
  return row?.last ?? 0;
}

const idsPerUpdate = 50_000;

/** Lets the jobs extract all texts again. Searches find the old text until then. */
export async function requestAllTexts(db: Database): Promise<void> {
  const newest = await db
    .selectFrom('document_texts')
    .select((eb) => eb.fn.max('document_id').as('id'))
    .executeTakeFirst();
  for (let first = 0; first <= (newest?.id ?? 0); first += idsPerUpdate) {
    await db
      .updateTable('document_texts')
      .set({ read_at: null, attempts: 0, claimed_until: null, pictures_left: 0 })
      .where('document_id', '>=', first)
      .where('document_id', '<', first + idsPerUpdate)
      .where('state', '<>', 'protected')
      .execute();
  }
}

const maxCounted = limits.maxWaitingCount;

type Waiting = { unread: number; pictures: number; previews: number };

/** The documents that await text extraction, OCR of their pictures, or their preview; each up to a limit. */
export async function countWaiting(db: Database): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    select
      (select count(*)::int from (select from document_texts where read_at is null
        limit ${sql.lit(maxCounted)}) as unread) as unread,
      (select count(*)::int from (select from document_texts where pictures_left > 0
        limit ${sql.lit(maxCounted)}) as pictures) as pictures,
      (select count(*)::int from (select from document_files where made_at is null and kind = 'preview'
        limit ${sql.lit(maxCounted)}) as previews) as previews`.execute(db);
  return rows[0] ?? { unread: 0, pictures: 0, previews: 0 };
}

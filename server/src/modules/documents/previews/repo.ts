import { sql } from 'kysely';
import type { Database } from '../../../db/client.ts';
import type { RequestedFile } from '../derived/repo.ts';
import { listUsersInTurn } from '../text/turns.ts';

/**
 * Requests the preview for this user, as the newest of their requests. Does nothing once it was made or failed, or if the
 * document is deleted meanwhile.
 */
export async function requestPreview(
  db: Database,
  documentId: number,
  { user, now }: { user: number; now: Date },
): Promise<void> {
  await sql`
    insert into document_files (document_id, kind, wanted_by, wanted_at)
    select id, 'preview', ${user}, ${now} from documents where id = ${documentId} for key share
    on conflict (document_id, kind) do update set wanted_by = excluded.wanted_by, wanted_at = excluded.wanted_at
    where document_files.made_at is null`.execute(db);
}

export type RequestedPreview = RequestedFile & { wanted_by: number };

// Longer than any attempt takes.
const leaseMs = 6 * 60_000;

const waiting = sql`made_at is null and kind = 'preview'`;
const queue = {
  kind: 'previews',
  table: 'document_files',
  userColumn: 'wanted_by',
  condition: waiting,
} as const;

/**
 * Leases the newest request of the user whose turn it is, so that no other caller gets it. Counts the attempt in
 * advance, so that a document that crashes the server is not retried for ever.
 */
export async function leasePreview(db: Database, now: Date): Promise<RequestedPreview | undefined> {
  for (const user of await listUsersInTurn(db, queue)) {
    const { rows } = await sql<RequestedPreview>`
      update document_files set attempts = attempts + 1, claimed_until = ${new Date(now.getTime() + leaseMs)}
      from documents
      where documents.id = document_id and kind = 'preview' and document_id = (
        select document_id from document_files
        where ${waiting} and wanted_by = ${user} and (claimed_until is null or claimed_until < ${now})
        order by wanted_at desc limit 1 for update skip locked
      )
      returning documents.id, documents.mime_type, documents.file_size, documents.sha256,
        documents.storage_key, attempts, wanted_by`.execute(db);
    if (rows[0]) return rows[0];
  }
  return undefined;
}

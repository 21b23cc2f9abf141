import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Deps } from '../../../core/deps.ts';
import type { Database } from '../../../db/client.ts';
import type { FileKind } from '../../../db/schema.ts';
import { ObjectDamagedError, ObjectMissingError } from '../../../storage/port.ts';
import { derivedPrefix, newObjectKey } from '../objects.ts';
import { enqueueDeletion } from './delete-object.ts';
import * as repo from './repo.ts';

export const { requestAllFiles } = repo;

/** Object first, row second, as for uploads. Pass no bytes if the file cannot be created, to stop further attempts. */
export async function saveFile(
  { db, storage, clock }: Deps,
  documentId: number,
  kind: FileKind,
  bytes: Buffer | undefined,
): Promise<void> {
  const made_at = clock.now();
  const storage_key = bytes ? newObjectKey(derivedPrefix, made_at) : null;
  if (bytes && storage_key) await storage.put(storage_key, bytes);
  await db.transaction().execute(async (tx) => {
    const sha256 = bytes ? createHash('sha256').update(bytes).digest() : null;
    const made = { storage_key, file_size: bytes?.length ?? null, sha256, made_at };
    const replaced = await repo.saveFile(tx, documentId, kind, made);
    // The document may have been deleted meanwhile.
    const leftover = replaced === undefined ? storage_key : replaced;
    if (leftover) await enqueueDeletion(tx, leftover);
  });
}

/** Undefined if there is none. If its object is gone or damaged, the file will be created again. */
export async function openFile(
  { db, storage, log }: Deps,
  documentId: number,
  kind: FileKind,
): Promise<{ size: number; body: Readable } | undefined> {
  const file = await repo.findFile(db, documentId, kind);
  if (!file) return undefined;
  try {
    const { storage_key, file_size: size, sha256 } = file;
    const body = await storage.get(storage_key, { size, checksum: sha256 ?? undefined });
    body.once('error', (error) => {
      if (!(error instanceof ObjectDamagedError)) return;
      log.error({ document_id: documentId, kind }, 'a derived file is damaged and is made again');
      repo.resetFile(db, storage_key).catch((err: unknown) => log.error({ err }, 'it was not requested'));
    });
    return { size, body };
  } catch (error) {
    if (!(error instanceof ObjectMissingError)) throw error;
    await repo.resetFile(db, file.storage_key);
    return undefined;
  }
}

/** Call it in the transaction that deletes the document, before its row is deleted. */
export async function deleteFilesOf(db: Database, documentId: number): Promise<void> {
  for (const { storage_key } of await repo.listFilesOf(db, documentId))
    await enqueueDeletion(db, storage_key);
}

const batchSize = 500;

/** Has the files created again whose objects are gone. Returns their number. */
export async function resetMissingFiles({ db, storage }: Deps, signal: AbortSignal): Promise<number> {
  let missing = 0;
  for (const kind of ['thumbnail', 'preview'] as const)
    missing += await resetMissing({ db, storage }, kind, signal);
  return missing;
}

async function resetMissing(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  kind: FileKind,
  signal: AbortSignal,
): Promise<number> {
  let missing = 0;
  let after = 0;
  for (;;) {
    const batch = await repo.listFiles(db, kind, after, batchSize);
    for (const { storage_key, file_size } of batch) {
      signal.throwIfAborted();
      if ((await storage.head(storage_key))?.size === file_size) continue;
      await repo.resetFile(db, storage_key);
      missing += 1;
    }
    const last = batch.at(-1);
    if (!last || batch.length < batchSize) return missing;
    after = last.document_id;
  }
}

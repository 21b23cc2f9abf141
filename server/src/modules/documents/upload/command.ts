import { webcrypto } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type DuplicateCheckInput, documentTexts } from '@customer-database/contract/documents';
import { limits } from '@customer-database/contract/limits';
import { type Context, inTransaction, type SignedInContext } from '../../../core/context.ts';
import { isDatabaseUnavailable } from '../../../db/unavailable.ts';
import { AppError, fieldError } from '../../../http/errors.ts';
import { recordActivity } from '../../activity/commands.ts';
import { getCustomer, lockCustomer } from '../../customers/commands.ts';
import { getDocument, subjectOf } from '../commands.ts';
import { filenameKey, numberedFilename, usableFilename } from '../filename.ts';
import { recogniseContent } from '../filetypes/recognise.ts';
import { documentsPrefix, newObjectKey } from '../objects.ts';
import { wantPreview } from '../previews/commands.ts';
import * as repo from '../repo.ts';
import { wakeTextExtraction } from '../text/jobs.ts';
import { fileTooLarge, type IncomingFile } from './incoming-file.ts';
import { refuseMalware } from './malware.ts';

function wrongType(fault: string): AppError {
  const text = `${documentTexts.wrongType} ${fault}`;
  return new AppError('INVALID_FILE_TYPE', text, { fields: { file_data: text } });
}

/** Tries names in growing batches: nearly always one query, and few even among thousands. */
async function findFreeFilename(ctx: Context, customerId: number, filename: string): Promise<string> {
  for (let first = 0, size = 10; ; first += size, size *= 2) {
    const names = Array.from({ length: size }, (_, index) => numberedFilename(filename, first + index));
    const taken = await repo.findTakenKeys(ctx.db, customerId, names.map(filenameKey));
    const free = names.find((name) => !taken.has(filenameKey(name)));
    if (free !== undefined) return free;
  }
}

/** Only a proposal: the name is decided when the upload is saved. */
export async function proposeFilename(
  ctx: Context,
  input: DuplicateCheckInput,
): Promise<{ uniqueFilename: string; isDuplicate: boolean }> {
  const filename = usableFilename(input.filename);
  await getCustomer(ctx, input.customer_id);
  const uniqueFilename = await findFreeFilename(ctx, input.customer_id, filename);
  return { uniqueFilename, isDuplicate: uniqueFilename !== filename };
}

/** On another thread: ten megabytes would block other requests noticeably. */
async function sha256Of(bytes: Buffer): Promise<Buffer> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes as Buffer<ArrayBuffer>));
}

/**
 * The document that this upload was saved as before, when its answer may have been lost. It is the same upload if it has
 * the same content for the same customer; the name may differ, because clients may propose another one each time.
 */
async function findSaved(
  ctx: SignedInContext,
  { uploadId, customerId }: IncomingFile,
  sha256: Buffer,
): Promise<repo.DocumentRow | undefined> {
  if (uploadId === undefined) return undefined;
  const saved = await repo.findUpload(ctx.db, ctx.signedIn.user.id, uploadId);
  // Answering with the other document would lose this file silently.
  if (saved && !saved.sha256.equals(sha256)) {
    throw fieldError('upload_id', 'Upload id was used for another file');
  }
  if (saved && (saved.upload_customer_id ?? saved.customer_id) !== customerId) {
    throw new AppError('CONFLICT', 'Upload id was used for another customer');
  }
  return saved;
}

/** Object first, row second: a crash in between leaves an object that the sweep removes, never a row without one. */
export async function uploadDocument(ctx: SignedInContext, file: IncomingFile): Promise<repo.DocumentRow> {
  const { customerId, bytes, uploadId } = file;
  const filename = usableFilename(file.filename);
  if (bytes.length > limits.maxUploadBytes) throw fileTooLarge();
  const content = await recogniseContent({ filename, mimeType: file.mimeType, bytes });
  if ('fault' in content) throw wrongType(content.fault);
  const sha256 = await sha256Of(bytes);
  const savedBefore = await findSaved(ctx, file, sha256);
  if (savedBefore) return savedBefore;
  await getCustomer(ctx, customerId);
  await refuseMalware(ctx, { customerId, filename, bytes, sha256 });

  const now = ctx.deps.clock.now();
  const storage_key = newObjectKey(documentsPrefix, now);
  await ctx.deps.storage.put(storage_key, bytes);
  let isCommitting = false;
  try {
    const saved = await inTransaction(ctx, async (tx) => {
      // Serializes uploads for one customer, so that a free name stays free until it is used.
      await lockCustomer(tx, customerId);
      const name = await findFreeFilename(tx, customerId, filename);
      const id = await repo.insertDocument(tx.db, {
        customer_id: customerId,
        filename: name,
        filename_key: filenameKey(name),
        description: file.description,
        mime_type: content.mimeType,
        charset: content.charset,
        is_protected: content.isProtected,
        file_size: bytes.length,
        sha256,
        crc32: crc32(bytes),
        storage_key,
        uploaded_at: now,
        uploaded_by: ctx.signedIn.user.id,
        upload_id: uploadId,
        upload_customer_id: uploadId === undefined ? undefined : customerId,
      });
      if (id === undefined) return undefined;
      await recordActivity(
        tx,
        'document.uploaded',
        subjectOf({ id, filename: name, customer_id: customerId }),
        {
          customer_id: customerId,
          file_size: bytes.length,
          sha256: sha256.toString('hex'),
        },
      );
      const document = await getDocument(tx, id);
      await wantPreview(tx, document);
      isCommitting = true;
      return document;
    });
    if (saved) {
      wakeTextExtraction(ctx.deps);
      return saved;
    }
  } catch (error) {
    // When the response to a commit is lost it may have succeeded: then the object must stay. If there is no
    // row after all, the sweep removes it.
    const mayBeSaved = isCommitting && isDatabaseUnavailable(error);
    if (!mayBeSaved) await dropObject(ctx, storage_key);
    throw error;
  }
  // The same upload, sent twice at once: the other request saved it.
  await dropObject(ctx, storage_key);
  const savedByOther = await findSaved(ctx, file, sha256);
  if (!savedByOther) throw new AppError('CONFLICT', 'This document was deleted as soon as it was saved');
  return savedByOther;
}

async function dropObject(ctx: Context, storageKey: string): Promise<void> {
  try {
    await ctx.deps.storage.delete(storageKey);
  } catch (error) {
    ctx.deps.log.warn(
      { err: error, request_id: ctx.requestId, storage_key: storageKey },
      'left for the sweep: an object without a document',
    );
  }
}

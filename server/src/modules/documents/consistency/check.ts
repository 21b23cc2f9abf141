import type { Context } from '../../../core/context.ts';
import { countText } from '../../../core/text.ts';
import {
  ObjectDamagedError,
  ObjectMissingError,
  type ObjectStorage,
  type StoredObject,
} from '../../../storage/port.ts';
import { runConcurrent } from '../../../storage/run-concurrent.ts';
import { tryRead } from '../../../storage/try-read.ts';
import { recordActivity } from '../../activity/commands.ts';
import { resetMissingFiles } from '../derived/commands.ts';
import { findOwnedKeys, minLeftoverAgeMs, ownPrefixes } from '../objects.ts';
import { findKnownStorageKeys, type StoredDocument, selectStoredDocuments } from '../repo.ts';

/**
 * missing: the object of a document does not exist or has another size; damaged: its bytes differ from the upload or
 * cannot be read; leftover: an object without a document; stray: an object that this program did not write.
 */
export type ProblemKind = 'missing' | 'damaged' | 'leftover' | 'stray';

export type Problem = { kind: ProblemKind; key: string; document?: StoredDocument };

export type CheckResult = {
  documents: number;
  bytes: number;
  found: Record<ProblemKind, number>;
  /** Objects without a document that are younger than a day, so that their uploads may not have finished. */
  recent: number;
  repaired: number;
};

export type CheckOptions = {
  signal: AbortSignal;
  show?: (text: string) => void;
  onProblem?: (problem: Problem) => void;
  /** Returns whether it repaired the problem. */
  repair?: (problem: Problem) => Promise<boolean>;
};

// The health checks write the first, and a restore the second until it has finished.
const ownKeys = new Set(['health/probe', 'restore/unfinished']);
const batchSize = 500;

export const problemsIn = ({ found }: CheckResult) =>
  found.missing + found.damaged + found.leftover + found.stray;

/** The problem with the object of a document, if there is one. */
export async function problemOf(
  storage: ObjectStorage,
  document: Pick<StoredDocument, 'storage_key' | 'file_size' | 'sha256'>,
): Promise<'missing' | 'damaged' | undefined> {
  const { storage_key, file_size: size, sha256: checksum } = document;
  try {
    const isRead = await tryRead(storage, async () => {
      for await (const _chunk of await storage.get(storage_key, { size, checksum }));
      return true;
    });
    return isRead ? undefined : 'damaged';
  } catch (error) {
    if (error instanceof ObjectMissingError) return 'missing';
    if (error instanceof ObjectDamagedError) return 'damaged';
    throw error;
  }
}

type Run = CheckOptions & { ctx: Context; result: CheckResult };

async function recordProblem({ result, onProblem, repair }: Run, problem: Problem): Promise<void> {
  result.found[problem.kind] += 1;
  onProblem?.(problem);
  if (await repair?.(problem)) result.repaired += 1;
}

/** Whether the document was deleted since it was listed. */
async function isDeleted({ ctx }: Run, { storage_key }: StoredDocument): Promise<boolean> {
  return !(await findKnownStorageKeys(ctx.db, [storage_key])).has(storage_key);
}

/** Checks that every row has its object, with the same bytes as at the upload. */
async function checkRows(run: Run): Promise<void> {
  const { ctx, result, signal, show } = run;
  let afterId = 0;
  for (;;) {
    const batch = await selectStoredDocuments(ctx.db, afterId, batchSize);
    await runConcurrent(batch, async (document) => {
      signal.throwIfAborted();
      const kind = await problemOf(ctx.deps.storage, document);
      if (kind && !(await isDeleted(run, document))) {
        await recordProblem(run, { kind, key: document.storage_key, document });
      }
      result.documents += 1;
      result.bytes += document.file_size;
      show?.(`${countText(result.documents, 'document')} read`);
    });
    const last = batch.at(-1);
    if (!last || batch.length < batchSize) return;
    afterId = last.id;
  }
}

async function checkBatch(run: Run, objects: StoredObject[], cutoff: number): Promise<void> {
  const known = await findOwnedKeys(
    run.ctx.db,
    objects.map(({ key }) => key),
  );
  for (const { key, modifiedAt } of objects) {
    if (known.has(key)) continue;
    if (modifiedAt.getTime() > cutoff) run.result.recent += 1;
    else await recordProblem(run, { kind: 'leftover', key });
  }
}

/** Checks that every object has its row, unless its upload may still be in progress. */
async function checkObjects(run: Run): Promise<void> {
  const { storage, clock, config } = run.ctx.deps;
  const cutoff = clock.now().getTime() - minLeftoverAgeMs;
  // A bucket may contain objects of other programs, but the folder belongs to this one.
  const prefixes = config.s3 ? ownPrefixes : [''];
  let strays: string[] = [];
  let batch: StoredObject[] = [];
  const finishBatch = async () => {
    await checkBatch(run, batch, cutoff);
    for (const key of strays) await recordProblem(run, { kind: 'stray', key });
    batch = [];
    strays = [];
  };
  for (const prefix of prefixes) {
    for await (const object of storage.list(prefix, (name) => strays.push(name))) {
      run.signal.throwIfAborted();
      const { key } = object;
      if (ownPrefixes.some((own) => key.startsWith(own))) {
        batch.push(object);
      } else if (!ownKeys.has(key)) {
        strays.push(key);
      }
      if (batch.length + strays.length >= batchSize) await finishBatch();
    }
  }
  await finishBatch();
}

/** Compares rows with objects and objects with rows. Records the result for the dashboard. */
export async function checkDocuments(ctx: Context, options: CheckOptions): Promise<CheckResult> {
  const found = { missing: 0, damaged: 0, leftover: 0, stray: 0 };
  const run: Run = { ...options, ctx, result: { documents: 0, bytes: 0, found, recent: 0, repaired: 0 } };
  await checkRows(run);
  await checkObjects(run);
  // No problem, because the server creates missing thumbnails and previews again.
  await resetMissingFiles(ctx.deps, options.signal);
  const { documents, repaired } = run.result;
  await recordActivity(
    ctx,
    'check.completed',
    { type: 'check', id: null, label: null },
    { documents, ...found, repaired, problems: problemsIn(run.result) - repaired },
  );
  return run.result;
}

import type { PageQuery } from '@customer-database/contract/fields';
import { limits } from '@customer-database/contract/limits';
import type { Context } from '../../../core/context.ts';
import { recordActivity } from '../../activity/commands.ts';
import { readWaitingPictures, readWaitingTexts } from './backlog.ts';
import * as repo from './repo.ts';

export type TextPage = Awaited<ReturnType<typeof repo.listPages>>[number];

export async function listTextPages(
  ctx: Context,
  documentId: number,
  query: PageQuery,
): Promise<{ pages: TextPage[]; total: number }> {
  const total = await repo.countPages(ctx.db, documentId);
  return { pages: await repo.listPages(ctx.db, documentId, query), total };
}

export const { countWaiting } = repo;

/** Including those with pictures, if OCR is on. */
export async function countUnreadTexts({ db, deps }: Context): Promise<number> {
  const { unread, pictures } = await repo.countWaiting(db);
  return Math.min(unread + (deps.config.ocr.enabled ? pictures : 0), limits.maxWaitingCount);
}

export type ReadAllOptions = {
  /** All of them, not only those that wait. */
  again: boolean;
  signal: AbortSignal;
  onRead: (count: number) => void;
};

/** Reads here and now what the jobs would read in the background. Returns the number of documents. */
export async function readAllTexts(ctx: Context, { again, signal, onRead }: ReadAllOptions): Promise<number> {
  const deps = { ...ctx.deps, stopping: signal };
  let count = 0;
  const countOne = () => {
    count += 1;
    onRead(count);
  };
  if (again) await repo.markUnread(ctx.db);
  await readWaitingTexts(deps, countOne);
  await readWaitingPictures(deps);
  signal.throwIfAborted();
  await recordActivity(
    ctx,
    'texts.read',
    { type: 'check', id: null, label: null },
    { documents: count, again },
  );
  return count;
}

import { limits } from '@customer-database/contract/limits';
import type { Context } from '../../../core/context.ts';
import { recordActivity } from '../../activity/commands.ts';
import { extractWaitingTexts, recogniseWaitingPictures } from './backlog.ts';
import * as repo from './repo.ts';

export const { countWaiting } = repo;

/** Documents that await text extraction, or OCR if it is on. */
export async function countAwaitingTexts({ db, deps }: Context): Promise<number> {
  const { unread, pictures } = await repo.countWaiting(db);
  return Math.min(unread + (deps.config.ocr.enabled ? pictures : 0), limits.maxWaitingCount);
}

export type ExtractAllOptions = {
  /** Extracts the text of all documents again. */
  again: boolean;
  signal: AbortSignal;
  onText: (count: number) => void;
};

/** Does the work of the jobs in the foreground. Returns the number of documents. */
export async function extractAllTexts(
  ctx: Context,
  { again, signal, onText }: ExtractAllOptions,
): Promise<number> {
  const deps = { ...ctx.deps, stopping: signal };
  let count = 0;
  const countOne = () => {
    count += 1;
    onText(count);
  };
  if (again) await repo.requestAllTexts(ctx.db);
  await extractWaitingTexts(deps, countOne);
  await recogniseWaitingPictures(deps);
  signal.throwIfAborted();
  await recordActivity(
    ctx,
    'texts.read',
    { type: 'check', id: null, label: null },
    { documents: count, again },
  );
  return count;
}

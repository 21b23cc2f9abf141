import type { Deps } from '../../core/deps.ts';
import { readFile, readPicture, readText } from './read.ts';
import * as repo from './repo.ts';
import { makeNextThumbnail } from './thumbnail.ts';

/** Until nothing is left or a shutdown begins, which may interrupt a step. */
async function repeat({ stopping }: Deps, step: () => Promise<boolean>): Promise<void> {
  try {
    while (!stopping.aborted && (await step()));
  } catch (error) {
    if (!stopping.aborted) throw error;
  }
}

/**
 * Each text is followed by a thumbnail, which usually is that of the same document.
 * Throws what is not the fault of a document, such as storage that is away.
 */
export async function readWaitingTexts(
  deps: Deps,
  order: repo.Order,
  onRead: () => void = () => undefined,
): Promise<void> {
  await repeat(deps, async () => {
    const file = await repo.claimText(deps.db, deps.clock.now(), order);
    if (!file) return false;
    await readText(deps, file);
    onRead();
    await makeNextThumbnail(deps, order);
    return true;
  });
  // Some are wanted again.
  await repeat(deps, () => makeNextThumbnail(deps, order));
}

/** Page by page. */
export async function readWaitingPictures(deps: Deps, order: repo.Order): Promise<void> {
  if (!deps.config.ocr.enabled) return;
  let last: { id: number; bytes: Buffer } | undefined;
  await repeat(deps, async () => {
    const file = await repo.claimPicture(deps.db, deps.clock.now(), order);
    if (!file) return false;
    await readPicture(deps, file, async () => {
      // Its other pages come next.
      if (last?.id !== file.id) last = { id: file.id, bytes: await readFile(deps, file) };
      return last.bytes;
    });
    return true;
  });
}

import type { Deps } from '../../../core/deps.ts';
import { readFile, readPicture, readText } from './read.ts';
import * as repo from './repo.ts';
import { makeThumbnail } from './thumbnail.ts';
import { endTurn, type Turn } from './turns.ts';

/** Until nothing is left or a shutdown begins, which may interrupt a step. */
async function repeat({ stopping }: Deps, step: () => Promise<boolean>): Promise<void> {
  try {
    while (!stopping.aborted && (await step()));
  } catch (error) {
    if (!stopping.aborted) throw error;
  }
}

/** One of a person's files is read; others' come before their next one for as long as it took. */
async function inTurn({ db, clock }: Deps, turn: Turn, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  try {
    await work();
  } finally {
    await endTurn(db, turn, clock.now(), performance.now() - startedAt);
  }
}

/**
 * Each text is followed by the thumbnail of the same document. Others are made while no text waits: some are wanted
 * again. Throws what is not the fault of a document, such as storage that is away.
 */
export async function readWaitingTexts(deps: Deps, onRead: () => void = () => undefined): Promise<void> {
  await repeat(deps, async () => {
    const file = await repo.leaseText(deps.db, deps.clock.now());
    if (!file) return makeThumbnail(deps);
    await inTurn(deps, { kind: 'text', uploader: file.uploaded_by }, async () => {
      await readText(deps, file);
      await makeThumbnail(deps, file.id);
    });
    onRead();
    return true;
  });
}

/** Page by page. */
export async function readWaitingPictures(deps: Deps): Promise<void> {
  if (!deps.config.ocr.enabled) return;
  let last: { id: number; bytes: Buffer } | undefined;
  await repeat(deps, async () => {
    const file = await repo.leasePicture(deps.db, deps.clock.now());
    if (!file) return false;
    await inTurn(deps, { kind: 'pictures', uploader: file.uploaded_by }, () =>
      readPicture(deps, file, async () => {
        // Its other pages often come next.
        if (last?.id !== file.id) last = { id: file.id, bytes: await readFile(deps, file) };
        return last.bytes;
      }),
    );
    return true;
  });
}

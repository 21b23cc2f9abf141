import type { Deps } from '../../../core/deps.ts';
import { extractText, readFile, recognisePicture } from './extract.ts';
import * as repo from './repo.ts';
import { makeThumbnail } from './thumbnail.ts';
import { endTurn, type Turn } from './turns.ts';

/** Repeats the step until it finds no work, or until a shutdown, which may interrupt it. */
export async function repeatUntilDone({ stopping }: Deps, step: () => Promise<boolean>): Promise<void> {
  try {
    while (!stopping.aborted && (await step()));
  } catch (error) {
    if (!stopping.aborted) throw error;
  }
}

/** Lets the files of other users come first for as long as the work took. */
export async function inTurn({ db, clock }: Deps, turn: Turn, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  try {
    await work();
  } finally {
    await endTurn(db, turn, clock.now(), performance.now() - startedAt);
  }
}

/**
 * Extracts each waiting text and then the thumbnail of the same document. Creates other requested thumbnails when no
 * text waits. Throws on failures that no document caused, such as unavailable storage.
 */
export async function extractWaitingTexts(deps: Deps, onText: () => void = () => undefined): Promise<void> {
  await repeatUntilDone(deps, async () => {
    const file = await repo.leaseText(deps.db, deps.clock.now());
    if (!file) return makeThumbnail(deps);
    await inTurn(deps, { kind: 'text', user: file.uploaded_by }, async () => {
      await extractText(deps, file);
      await makeThumbnail(deps, file.id);
    });
    onText();
    return true;
  });
}

/** Reads the text of pictures with OCR, one page at a time. */
export async function recogniseWaitingPictures(deps: Deps): Promise<void> {
  if (!deps.config.ocr.enabled) return;
  let last: { id: number; bytes: Buffer } | undefined;
  await repeatUntilDone(deps, async () => {
    const file = await repo.leasePicture(deps.db, deps.clock.now());
    if (!file) return false;
    await inTurn(deps, { kind: 'pictures', user: file.uploaded_by }, () =>
      recognisePicture(deps, file, async () => {
        // The next picture is often on another page of the same document.
        if (last?.id !== file.id) last = { id: file.id, bytes: await readFile(deps, file) };
        return last.bytes;
      }),
    );
    return true;
  });
}

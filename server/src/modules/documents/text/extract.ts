import { ExtractionFailed, ExtractionTimedOut, type Extractor } from '@customer-database/extractor/extractor';
import type { Answer, Request } from '@customer-database/extractor/protocol';
import type { Deps } from '../../../core/deps.ts';
import { addWordsOfPages } from '../../../search/vocabulary/commands.ts';
import { ObjectDamagedError, ObjectMissingError } from '../../../storage/port.ts';
import { requestFile } from '../derived/repo.ts';
import * as repo from './repo.ts';

// After this many unfinished attempts, the document is given up.
const maxAttempts = 3;
const postponedMs = 60_000;

type File = Pick<repo.LeasedFile, 'sha256' | 'storage_key' | 'file_size'>;

export async function readFile({ storage }: Deps, file: File): Promise<Buffer> {
  const { storage_key, file_size: size, sha256: checksum } = file;
  const body = await storage.get(storage_key, { size, checksum });
  return Buffer.concat(await body.toArray());
}

type Outcome =
  | Answer
  /** The document took too much time or memory, or crashed the process. */
  | { outcome: 'exceeded'; reason: string }
  /** The extractor timed out, and there are attempts left. */
  | { outcome: 'timed-out' };

const unreadable = (reason: string): Answer => ({ outcome: 'unreadable', reason });
const exceeded = (reason: string): Outcome => ({ outcome: 'exceeded', reason });

export async function ask(
  extractor: Extractor,
  /** Including the current one. */
  attempts: number,
  makeRequest: () => Promise<Request>,
): Promise<Outcome> {
  if (attempts > maxAttempts) return exceeded('reading it failed three times');
  try {
    return await extractor.ask(makeRequest);
  } catch (error) {
    if (error instanceof ExtractionTimedOut && attempts < maxAttempts) return { outcome: 'timed-out' };
    if (error instanceof ExtractionFailed) return exceeded(error.message);
    if (error instanceof ObjectMissingError || error instanceof ObjectDamagedError) {
      return unreadable('its file is missing or damaged');
    }
    throw error;
  }
}

function savedText(answer: Outcome, withOcr: boolean): repo.SavedText {
  if (answer.outcome === 'protected') return { state: 'protected' };
  if (answer.outcome === 'unreadable' || answer.outcome === 'exceeded')
    return { state: 'failed', reason: answer.reason };
  if (answer.outcome !== 'text') throw new Error(`unexpected answer: ${answer.outcome}`);
  const { pages } = answer.result;
  const hasText = pages.some(({ text }) => text !== '');
  const hasPictures = withOcr && pages.some(({ isPicture }) => isPicture);
  return { state: hasText ? 'ready' : hasPictures ? 'waiting' : 'none', text: answer.result };
}

/** For failures that the document did not cause: the attempt does not count. */
export async function releaseOnFailure<T>(release: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await release();
    throw error;
  }
}

function askAbout(
  { db }: Deps,
  extractor: Extractor,
  { id, attempts }: repo.LeasedFile,
  makeRequest: () => Promise<Request>,
): Promise<Outcome> {
  return releaseOnFailure(
    () => repo.releaseLease(db, id),
    () => ask(extractor, attempts, makeRequest),
  );
}

const postpone = ({ db, clock }: Deps, { id }: repo.LeasedFile) =>
  repo.postpone(db, id, new Date(clock.now().getTime() + postponedMs));

/** Extracts the text of a document and saves it. */
export async function extractText(deps: Deps, file: repo.LeasedFile): Promise<void> {
  const { config, extractors, log, clock, db } = deps;
  const answer = await askAbout(deps, extractors.text, file, async () => ({
    kind: 'text',
    bytes: await readFile(deps, file),
  }));
  if (answer.outcome === 'timed-out') return postpone(deps, file);
  const saved = savedText(answer, config.ocr.enabled);
  if (saved.state === 'failed') {
    log.warn({ document_id: file.id, answer }, 'the text of a document could not be read');
  }
  await db.transaction().execute(async (tx) => {
    await repo.saveText(tx, file.id, clock.now(), saved);
    // Drawing the thumbnail would exceed the limits too.
    if (answer.outcome !== 'exceeded') await requestFile(tx, file.id, 'thumbnail');
  });
  if (saved.text) await addWordsOfPages(db, file.id);
}

/** Reads the picture of a page with OCR and saves its text. */
export async function recognisePicture(
  deps: Deps,
  file: repo.LeasedPicture,
  getBytes: () => Promise<Buffer>,
): Promise<void> {
  const { extractors, log, db } = deps;
  const { id, page } = file;
  const answer =
    page === null
      ? unreadable('there is no such page')
      : await askAbout(deps, extractors.pictures, file, async () => ({
          kind: 'picture',
          bytes: await getBytes(),
          page,
        }));
  if (answer.outcome === 'timed-out') return postpone(deps, file);
  const found = answer.outcome === 'picture' ? answer.result : undefined;
  if (!found) log.warn({ document_id: id, page, answer }, 'a picture could not be read');
  const exceededLimits = answer.outcome === 'exceeded';
  await db.transaction().execute((tx) => repo.savePicture(tx, { id, page }, { found, exceededLimits }));
  if (found && page !== null) await addWordsOfPages(db, id, page);
}

import { ExtractionFailed, ExtractionTimedOut } from '@customer-database/extractor/errors';
import type { Extractor } from '@customer-database/extractor/extractor';
import type { Answer, Request } from '@customer-database/extractor/protocol';
import type { Deps } from '../../../core/deps.ts';
import { addWordsOfPages } from '../../../search/vocabulary/commands.ts';
import { ObjectDamagedError, ObjectMissingError } from '../../../storage/port.ts';
import { requestFile } from '../derived/repo.ts';
import { attempt, type Lease, maxAttempts, maxAttemptsOfScan, postpone } from './attempts.ts';
import * as repo from './repo.ts';

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
  /** The machine may be busy. */
  | { outcome: 'timed-out'; reason: string };

const unreadable = (reason: string): Answer => ({ outcome: 'unreadable', reason });
const exceeded = (reason: string): Outcome => ({ outcome: 'exceeded', reason });

async function askOnce(extractor: Extractor, makeRequest: () => Promise<Request>): Promise<Outcome> {
  try {
    return await extractor.ask(makeRequest);
  } catch (error) {
    if (error instanceof ExtractionTimedOut) return { outcome: 'timed-out', reason: error.message };
    if (error instanceof ExtractionFailed) return exceeded(error.message);
    if (error instanceof ObjectMissingError || error instanceof ObjectDamagedError) {
      return unreadable('its file is missing or damaged');
    }
    throw error;
  }
}

export async function ask(
  extractor: Extractor,
  /** Including the current one. */
  attempts: number,
  makeRequest: () => Promise<Request>,
): Promise<Outcome> {
  if (attempts > maxAttempts) return exceeded('reading it failed three times');
  const answer = await askOnce(extractor, makeRequest);
  return answer.outcome === 'timed-out' && attempts >= maxAttempts ? exceeded(answer.reason) : answer;
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

const leaseOf = ({ db }: Deps, { id }: repo.LeasedFile): Lease => ({
  documentId: id,
  release: () => repo.releaseLease(db, id),
  postpone: (until) => repo.postpone(db, id, until),
});

/** Extracts the text of a document and saves it. */
export async function extractText(deps: Deps, file: repo.LeasedFile): Promise<void> {
  const lease = leaseOf(deps, file);
  await attempt(deps, lease, () => readAndSaveText(deps, file, lease));
}

async function readAndSaveText(deps: Deps, file: repo.LeasedFile, lease: Lease): Promise<void> {
  const { config, extractors, log, clock, db } = deps;
  const answer = await ask(extractors.text, file.attempts, async () => ({
    kind: 'text',
    bytes: await readFile(deps, file),
  }));
  if (answer.outcome === 'timed-out') return postpone(deps, lease);
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
  const lease = leaseOf(deps, file);
  await attempt(deps, lease, () => recogniseAndSavePicture(deps, file, lease, getBytes));
}

async function recogniseAndSavePicture(
  deps: Deps,
  { id, page, attempts }: repo.LeasedPicture,
  lease: Lease,
  getBytes: () => Promise<Buffer>,
): Promise<void> {
  const { extractors, log, db } = deps;
  const answer =
    page === null
      ? unreadable('there is no such page')
      : attempts > maxAttemptsOfScan
        ? exceeded('too many of its pages could not be read')
        : await askOnce(extractors.pictures, async () => ({
            kind: 'picture',
            bytes: await getBytes(),
            page,
          }));
  const found = answer.outcome === 'picture' ? answer.result : undefined;
  if (!found) log.warn({ document_id: id, page, answer }, 'a picture could not be read');
  const isExceeded = answer.outcome === 'exceeded' || answer.outcome === 'timed-out';
  // Another attempt may succeed: a busy machine takes more processor time for the same work.
  if (isExceeded && attempts < maxAttempts) return postpone(deps, lease);
  const reason = 'reason' in answer ? `page ${page}: ${answer.reason}` : undefined;
  await db.transaction().execute((tx) => repo.savePicture(tx, { id, page }, { found, reason, isExceeded }));
  if (found && page !== null) await addWordsOfPages(db, id, page);
}

import { documentTypes } from '@customer-database/contract/documents';
import type { Pixels } from '@customer-database/extractor/protocol';
import type { Deps } from '../../../core/deps.ts';
import { saveFile } from '../derived/commands.ts';
import { leaseFile, postponeFile, type RequestedFile, releaseFile } from '../derived/repo.ts';
import { attempt, type Lease, maxAttempts, postpone } from './attempts.ts';
import { ask, readFile } from './extract.ts';
import * as repo from './repo.ts';

// Small enough that text is hardly readable, because thumbnails are not recorded as views.
const width = 200;
const maxCharacters = 400;

/** The sandboxed extractor has drawn the pixels; this only compresses them. */
async function packPicture({ width, height, rgba }: Pixels): Promise<Buffer> {
  // Loaded when first needed, because it takes time and memory.
  const { default: sharp } = await import('sharp');
  const picture = sharp(Buffer.from(rgba), { raw: { width, height, channels: 4 } });
  return picture.flatten({ background: 'white' }).webp({ quality: 70 }).toBuffer();
}

type Made = Buffer | 'timed-out' | undefined;

async function drawPage(deps: Deps, file: RequestedFile): Promise<Made> {
  const answer = await ask(deps.extractors.text, file.attempts, async () => ({
    kind: 'thumbnail',
    bytes: await readFile(deps, file),
    width,
  }));
  if (answer.outcome === 'timed-out') return 'timed-out';
  if (answer.outcome === 'thumbnail') return answer.result ? packPicture(answer.result) : undefined;
  deps.log.info({ document_id: file.id, answer }, 'a document has no thumbnail');
  return undefined;
}

async function firstLines({ db }: Deps, { id }: RequestedFile): Promise<Made> {
  const [first] = await repo.listPages(db, id, { page: 1, limit: 1 });
  const lines = first?.content.slice(0, maxCharacters).toWellFormed().trim();
  return lines ? Buffer.from(lines) : undefined;
}

async function make(deps: Deps, file: RequestedFile): Promise<Made> {
  if (file.attempts > maxAttempts) {
    deps.log.warn({ document_id: file.id }, 'making the thumbnail of a document failed three times');
    return undefined;
  }
  return file.mime_type === documentTypes['.pdf'] ? drawPage(deps, file) : firstLines(deps, file);
}

/**
 * Creates the requested thumbnail of the given document, or of the newest document: a picture of the first page of a
 * PDF, or the first lines of another document. Returns false if none was requested.
 */
export async function makeThumbnail(deps: Deps, documentId?: number): Promise<boolean> {
  const { db } = deps;
  const file = await leaseFile(db, deps.clock.now(), 'thumbnail', documentId);
  if (!file) return false;
  const lease: Lease = {
    documentId: file.id,
    release: () => releaseFile(db, file.id, 'thumbnail'),
    postpone: (until) => postponeFile(db, file.id, 'thumbnail', until),
  };
  await attempt(deps, lease, async () => {
    const made = await make(deps, file);
    if (made === 'timed-out') await postpone(deps, lease);
    else await saveFile(deps, file.id, 'thumbnail', made);
  });
  return true;
}

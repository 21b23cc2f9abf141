import { documentTypes } from '@customer-database/contract/documents';
import type { Pixels } from '@customer-database/extractor/protocol';
import type { Deps } from '../../../core/deps.ts';
import { saveFile } from '../derived/commands.ts';
import { leaseFile, type RequestedFile, releaseFile } from '../derived/repo.ts';
import { ask, readFile, releaseOnFailure } from './extract.ts';
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

async function drawPage(deps: Deps, file: RequestedFile): Promise<Buffer | undefined> {
  const answer = await ask(deps.extractors.text, file.attempts, async () => ({
    kind: 'thumbnail',
    bytes: await readFile(deps, file),
    width,
  }));
  if (answer.outcome === 'thumbnail') return answer.result ? packPicture(answer.result) : undefined;
  deps.log.info({ document_id: file.id, answer }, 'a document has no thumbnail');
  return undefined;
}

async function firstLines({ db }: Deps, { id }: RequestedFile): Promise<Buffer | undefined> {
  const [first] = await repo.listPages(db, id, { page: 1, limit: 1 });
  const lines = first?.content.slice(0, maxCharacters).toWellFormed().trim();
  return lines ? Buffer.from(lines) : undefined;
}

/**
 * Creates the requested thumbnail of the given document, or of the newest document: a picture of the first page of a
 * PDF, or the first lines of another document. Returns false if none was requested.
 */
export async function makeThumbnail(deps: Deps, documentId?: number): Promise<boolean> {
  const file = await leaseFile(deps.db, deps.clock.now(), 'thumbnail', documentId);
  if (!file) return false;
  const make = file.mime_type === documentTypes['.pdf'] ? drawPage : firstLines;
  await releaseOnFailure(
    () => releaseFile(deps.db, file.id, 'thumbnail'),
    async () => saveFile(deps, file.id, 'thumbnail', await make(deps, file)),
  );
  return true;
}

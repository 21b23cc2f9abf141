import { documentTypes } from '@customer-database/contract/documents';
import { ConversionFailed, ConversionTimedOut, type Converter } from '../../../converter/port.ts';
import type { Deps } from '../../../core/deps.ts';
import { ObjectDamagedError, ObjectMissingError } from '../../../storage/port.ts';
import { saveFile } from '../derived/commands.ts';
import { postponeFile, releaseFile } from '../derived/repo.ts';
import { attempt, type Lease, maxAttempts, postpone } from '../text/attempts.ts';
import { inTurn, repeatUntilDone } from '../text/backlog.ts';
import { readFile } from '../text/extract.ts';
import { leasePreview, type RequestedPreview } from './repo.ts';

const causesOfDocument = [ConversionFailed, ObjectMissingError, ObjectDamagedError];

type Made = Buffer | 'timed-out' | undefined;

async function make(deps: Deps, converter: Converter, file: RequestedPreview): Promise<Made> {
  const failed = (reason: string) => {
    deps.log.warn({ document_id: file.id, reason }, 'the preview of a document could not be made');
    return undefined;
  };
  if (file.attempts > maxAttempts) return failed('making it failed three times');
  try {
    const extension = file.mime_type === documentTypes['.docx'] ? '.docx' : '.doc';
    return await converter.convert(await readFile(deps, file), extension);
  } catch (error) {
    if (error instanceof ConversionTimedOut && file.attempts < maxAttempts) return 'timed-out';
    if (!causesOfDocument.some((type) => error instanceof type)) throw error;
    return failed((error as Error).message);
  }
}

async function makePreview(deps: Deps, converter: Converter, file: RequestedPreview): Promise<void> {
  const { db } = deps;
  const lease: Lease = {
    documentId: file.id,
    release: () => releaseFile(db, file.id, 'preview'),
    postpone: (until) => postponeFile(db, file.id, 'preview', until),
  };
  await attempt(deps, lease, async () => {
    const made = await make(deps, converter, file);
    if (made === 'timed-out') await postpone(deps, lease);
    else await saveFile(deps, file.id, 'preview', made);
  });
}

/** Makes each requested preview, the users taking turns. Throws on failures that no document caused. */
export async function makeWaitingPreviews(deps: Deps): Promise<void> {
  const { db, clock, converter } = deps;
  if (!converter) return;
  await repeatUntilDone(deps, async () => {
    const file = await leasePreview(db, clock.now());
    if (!file) return false;
    await inTurn(deps, { kind: 'previews', user: file.wanted_by }, () => makePreview(deps, converter, file));
    return true;
  });
}

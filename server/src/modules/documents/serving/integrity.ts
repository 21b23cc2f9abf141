import type { Deps } from '../../../core/deps.ts';
import type { Checksum } from '../../../storage/checksum.ts';
import { ObjectMissingError } from '../../../storage/port.ts';
import type { DocumentRow } from '../repo.ts';

/** What a download is held against: the cheaper checksum, unless the document has none yet. */
export const checksumOf = ({ crc32, sha256 }: DocumentRow): Checksum => crc32 ?? sha256;

/** Fails unless the object is, byte for byte, what was uploaded. */
export type IntegrityCheck = (document: DocumentRow) => Promise<void>;

const rememberedMs = 5 * 60_000;
const mostRemembered = 1_000;

type Verified = { modifiedAt: number; until: number };

/**
 * A reader that asks for a document part by part has it read as a whole once, not for each part: an object
 * that was not touched since is remembered for a while.
 */
export function createIntegrityCheck({ storage, clock }: Deps): IntegrityCheck {
  const verified = new Map<string, Verified>();

  return async (document) => {
    const { storage_key, file_size } = document;
    const stored = await storage.head(storage_key);
    if (stored?.size !== file_size) throw new ObjectMissingError(storage_key);
    const now = clock.now().getTime();
    const modifiedAt = stored.modifiedAt.getTime();
    const known = verified.get(storage_key);
    if (known && known.modifiedAt === modifiedAt && known.until > now) return;
    for await (const _piece of await storage.get(storage_key, undefined, file_size, checksumOf(document)));
    verified.delete(storage_key);
    verified.set(storage_key, { modifiedAt, until: now + rememberedMs });
    const [oldest] = verified.keys();
    if (verified.size > mostRemembered && oldest !== undefined) verified.delete(oldest);
  };
}

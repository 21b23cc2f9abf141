import type { Deps } from '../../../core/deps.ts';
import type { Checksum } from '../../../storage/checksum.ts';
import { ObjectMissingError } from '../../../storage/port.ts';
import type { DocumentRow } from '../repo.ts';

/** The cheaper checksum, which some documents from before version 0.9 lack. */
export const checksumOf = ({ crc32, sha256 }: DocumentRow): Checksum => crc32 ?? sha256;

/** Throws unless the object has the bytes of the upload. */
export type IntegrityCheck = (document: DocumentRow) => Promise<void>;

const cacheTtlMs = 5 * 60_000;
const maxCached = 1_000;

type Verified = { modifiedAt: number; expiresAt: number };

/**
 * Reads an object as a whole, but not for every range that a client requests: caches the result for 5 minutes, unless
 * the object is modified.
 */
export function createIntegrityCheck({ storage, clock }: Deps): IntegrityCheck {
  const verified = new Map<string, Verified>();

  return async (document) => {
    const { storage_key, file_size: size } = document;
    const stored = await storage.head(storage_key);
    if (stored?.size !== size) throw new ObjectMissingError(storage_key);
    const now = clock.now().getTime();
    const modifiedAt = stored.modifiedAt.getTime();
    const known = verified.get(storage_key);
    if (known && known.modifiedAt === modifiedAt && known.expiresAt > now) return;
    for await (const _chunk of await storage.get(storage_key, { size, checksum: checksumOf(document) }));
    verified.delete(storage_key);
    verified.set(storage_key, { modifiedAt, expiresAt: now + cacheTtlMs });
    const [oldest] = verified.keys();
    if (verified.size > maxCached && oldest !== undefined) verified.delete(oldest);
  };
}

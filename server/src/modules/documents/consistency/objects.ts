import type { Database } from '../../../db/client.ts';
import { filesPrefix, findKnownKeys } from '../derived/commands.ts';
import { findKnownStorageKeys } from '../repo.ts';

/** Documents, and files derived from them. */
export const ownPrefixes = ['documents/', filesPrefix];

// Longer than any upload takes. A younger object may still get its row.
export const minLeftoverAgeMs = 24 * 3_600_000;

/** Which of these objects belong to a document. */
export async function findOwnedKeys(db: Database, keys: string[]): Promise<Set<string>> {
  return new Set([...(await findKnownStorageKeys(db, keys)), ...(await findKnownKeys(db, keys))]);
}

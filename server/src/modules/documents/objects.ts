import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/client.ts';
import { findKnownKeys } from './derived/repo.ts';
import { findKnownStorageKeys } from './repo.ts';

export const documentsPrefix = 'documents/';
/** For files made from documents. */
export const derivedPrefix = 'derived/';
export const ownPrefixes = [documentsPrefix, derivedPrefix];

/** Random: nothing in it comes from the client. */
export function newObjectKey(prefix: string, now: Date): string {
  return `${prefix}${now.toISOString().slice(0, 7).replace('-', '/')}/${randomUUID()}`;
}

// Longer than any upload takes. A younger object may still get its row.
export const minLeftoverAgeMs = 24 * 3_600_000;

/** Which of these objects belong to a document. */
export async function findOwnedKeys(db: Database, keys: string[]): Promise<Set<string>> {
  return new Set([...(await findKnownStorageKeys(db, keys)), ...(await findKnownKeys(db, keys))]);
}

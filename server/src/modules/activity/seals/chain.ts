import type { KeyObject } from 'node:crypto';
import type { Database } from '../../../db/client.ts';
import type { NotedSeal } from './note.ts';
import { hashOfSeal } from './proof.ts';
import * as repo from './repo.ts';

const batchSize = 20;

/** What the next seal of the chain refers to. */
export type Link = { id: number; hash: Buffer };

export type ChainSeal = repo.SealRow;

/** The seals in the database are not the ones that the server made. */
export class ChainBroken extends Error {
  override name = 'ChainBroken';
}

export const hasSeal = async (db: Database, { id, hash }: Link) =>
  (await repo.findSeal(db, id))?.hash.equals(hash) === true;

export const isIntact = (key: KeyObject, seal: repo.SealRow, previous: Link | undefined) =>
  hashOfSeal(key, seal, previous?.hash).equals(seal.hash);

/** Retention removes the oldest seals, except the first. The last removed one, and the number of removed rows. */
export type RemovedSeals = Link & { total: number };

/** Whether retention has removed the seals between these two. The later one then follows the last removed seal. */
export const followsRemovedSeals = (seal: Link, previous: Link | undefined) =>
  previous?.id === 1 && seal.id > 2;

/** Reads the newest removal, which is itself a seal. */
export async function findRemoved(db: Database, key: KeyObject): Promise<RemovedSeals | undefined> {
  const removal = await repo.findNewestRemoval(db);
  if (!removal?.removed) return undefined;
  // Retention keeps the seal before its removal, because it was the newest.
  if (!isIntact(key, removal, await repo.findSeal(db, removal.id - 1))) {
    throw new ChainBroken(
      `seal ${removal.id}, of a removal, was changed or does not follow seal ${removal.id - 1}`,
    );
  }
  const { seal, hash, total } = removal.removed;
  return { id: seal, hash: Buffer.from(hash, 'hex'), total };
}

/** The seals after `from`, oldest first, each verified. */
export async function* readChain(
  db: Database,
  key: KeyObject,
  from: Link | undefined,
): AsyncGenerator<repo.SealRow> {
  let previous = from;
  while (true) {
    const seals = await repo.listSeals(db, previous?.id ?? 0, batchSize);
    for (const seal of seals) {
      if (followsRemovedSeals(seal, previous)) previous = (await findRemoved(db, key)) ?? previous;
      if (seal.id !== (previous?.id ?? 0) + 1) {
        throw new ChainBroken(`seal ${seal.id} does not follow seal ${previous?.id ?? 0}`);
      }
      if (!isIntact(key, seal, previous)) throw new ChainBroken(`seal ${seal.id} was changed`);
      yield seal;
      previous = seal;
    }
    if (seals.length < batchSize) return;
  }
}

/** The noted seal, or the last removed one if retention has removed the noted one. Throws if the noted seal is gone. */
async function findNotedLink(db: Database, key: KeyObject, { seal: id, hash }: NotedSeal): Promise<Link> {
  const seal = await repo.findSeal(db, id);
  if (seal?.hash.toString('hex') === hash) return seal;
  const removed = seal ? undefined : await findRemoved(db, key);
  if (removed && removed.id >= id) return removed;
  throw new ChainBroken(`seal ${id}, which this machine has noted, is ${seal ? 'another one now' : 'gone'}`);
}

/**
 * The newest seal, undefined before the first. Verifies the chain from the noted seal; without a note, the newest seal
 * alone.
 */
export async function findVerifiedNewest(
  db: Database,
  key: KeyObject,
  noted: NotedSeal | undefined,
): Promise<{ newest: repo.SealRow | undefined; sinceNote: repo.SealRow[] }> {
  const found = await repo.findNewestSeal(db);
  if (!found && !noted) return { newest: undefined, sinceNote: [] };
  const from = noted ? await findNotedLink(db, key, noted) : found && (await repo.findSeal(db, found.id - 1));
  const sinceNote: repo.SealRow[] = [];
  for await (const seal of readChain(db, key, from)) sinceNote.push({ ...seal, entries: null });
  return { newest: sinceNote.at(-1) ?? found, sinceNote };
}

/** The first seal. Rows up to its `through_id` were accepted without verification when the chain was opened. */
export async function findOpening(db: Database, key: KeyObject): Promise<repo.SealRow> {
  const opening = await repo.findSeal(db, 1);
  if (opening?.kind !== 'opening' || !isIntact(key, opening, undefined)) {
    throw new ChainBroken('seal 1 is gone or was changed');
  }
  return opening;
}

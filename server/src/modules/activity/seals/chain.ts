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

/** What retention has removed so far: the oldest seals, except the first, and their rows. */
export type Removed = Link & { total: number };

/** As the newest removal says. Its predecessor is still there, because the newest seal is never removed. */
export async function findRemoved(db: Database, key: KeyObject): Promise<Removed | undefined> {
  const removal = await repo.findNewestRemoval(db);
  if (!removal?.removed) return undefined;
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
      if (previous?.id === 1 && seal.id > 2) previous = (await findRemoved(db, key)) ?? previous;
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

/** The noted seal, or the one that a removal put in its place. Throws when it is neither there nor removed. */
async function findNotedLink(db: Database, key: KeyObject, { seal: id, hash }: NotedSeal): Promise<Link> {
  const seal = await repo.findSeal(db, id);
  if (seal?.hash.toString('hex') === hash) return seal;
  const removed = seal ? undefined : await findRemoved(db, key);
  if (removed && removed.id >= id) return removed;
  throw new ChainBroken(`seal ${id}, which this machine has noted, is ${seal ? 'another one now' : 'gone'}`);
}

/**
 * The newest seal, undefined before the first. The chain leads to it from the noted one; without a note the newest seal
 * itself must be intact.
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

/** Says through which row the log was sealed as it was found. */
export async function findOpening(db: Database, key: KeyObject): Promise<repo.SealRow> {
  const opening = await repo.findSeal(db, 1);
  if (opening?.kind !== 'opening' || !isIntact(key, opening, undefined)) {
    throw new ChainBroken('seal 1 is gone or was changed');
  }
  return opening;
}

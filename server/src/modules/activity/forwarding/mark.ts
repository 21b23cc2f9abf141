import type { Deps } from '../../../core/deps.ts';
import { findOpening, findRemoved, hasSeal, type Link } from '../seals/chain.ts';
import { macOfForwarding } from '../seals/proof.ts';
import * as repo from './repo.ts';

/** Every row through this seal was sent; the last of them had this number. */
export type Mark = { seal: Link; number: number };

/** Undefined if the mark is missing or forged, or its seal is gone. */
async function readMark({ db, keys }: Pick<Deps, 'db' | 'keys'>): Promise<Mark | undefined> {
  const found = await repo.findForwarded(db);
  if (!found) return undefined;
  const seal = { id: found.seal_id, hash: found.seal_hash };
  if (!macOfForwarding(keys.activity, seal, found.number).equals(found.mac)) return undefined;
  const removed = await findRemoved(db, keys.activity);
  const isSealKnown = (await hasSeal(db, seal)) || removed?.hash.equals(seal.hash);
  return isSealKnown ? { seal, number: found.number } : undefined;
}

/** Without a valid mark, forwarding starts again with the oldest row; the receiver recognises rows by their numbers. */
export async function findMark(deps: Pick<Deps, 'db' | 'keys'>): Promise<Mark> {
  const mark = await readMark(deps);
  if (mark) return mark;
  const removed = await findRemoved(deps.db, deps.keys.activity);
  const seal = removed ?? (await findOpening(deps.db, deps.keys.activity));
  return { seal, number: removed?.total ?? 0 };
}

export async function saveMark({ db, keys }: Pick<Deps, 'db' | 'keys'>, { seal, number }: Mark) {
  const mac = macOfForwarding(keys.activity, seal, number);
  await repo.saveForwarded(db, { seal_id: seal.id, seal_hash: seal.hash, number, mac });
}

/** The last seal that retention may remove, so that it removes no row before it was sent. */
export async function forwardedThrough(deps: Pick<Deps, 'config' | 'db' | 'keys'>): Promise<number> {
  if (!deps.config.activityWebhook) return Number.MAX_SAFE_INTEGER;
  return (await readMark(deps))?.seal.id ?? 0;
}

import type { Context } from '../../../core/context.ts';
import type { Deps } from '../../../core/deps.ts';
import { findOpening, findVerifiedNewest, type Link } from './chain.ts';
import { packEntries } from './entries.ts';
import { readNote, writeNote } from './note.ts';
import { hashOfSeal, type SealFacts } from './proof.ts';
import * as repo from './repo.ts';
import { macOfContent, nameOf, problemWithRow, type RowCheck } from './row-check.ts';
import { findSettledId } from './settled.ts';

const batchSize = 1000;

type NewSeal = Pick<SealFacts, 'kind' | 'through_id'> & Partial<SealFacts>;

/** Adds the next seal to the chain. Undefined if another server has added it first. */
export function addSeal(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  previous: Link | undefined,
  facts: NewSeal,
): Promise<repo.SealRow | undefined> {
  const id = (previous?.id ?? 0) + 1;
  const seal = { row_count: 0, entries: null, removed: null, ...facts, id, sealed_at: clock.now() };
  return repo.insertSeal(db, seal, hashOfSeal(keys.activity, seal, previous?.hash));
}

/** Rows up to `acceptedThrough` get into seals as they are, whether the server wrote them or not. */
export const openChain = (deps: Pick<Deps, 'db' | 'keys' | 'clock'>, acceptedThrough = 0) =>
  addSeal(deps, undefined, { kind: 'opening', through_id: acceptedThrough });

export const newestSeal = ({ db }: Pick<Context, 'db'>) => repo.findNewestSeal(db);

export const sealedThrough = (newest: repo.SealRow) => (newest.kind === 'opening' ? 0 : newest.through_id);

/** Only rows that the server wrote get into a seal. This pass and every verification report the others. */
async function sealNext(deps: Deps, check: RowCheck, previous: repo.SealRow, through: number) {
  const rows = await repo.listRows(deps.db, sealedThrough(previous), through, batchSize);
  const last = rows.at(-1);
  if (!last) return undefined;
  const forged: string[] = [];
  const genuine = rows.filter((row) => {
    const problem = problemWithRow(check, row);
    if (problem) forged.push(`${nameOf(row)} ${problem}`);
    return !problem;
  });
  const seal = await addSeal(deps, previous, {
    kind: 'rows',
    through_id: rows.length < batchSize ? through : last.id,
    row_count: genuine.length,
    entries: packEntries(genuine.map((row) => ({ id: row.id, mac: macOfContent(check.key, row) }))),
  });
  return seal && { seal, forged };
}

export type Sealing = {
  /** Every seal since the noted one, verified or added by this pass. */
  seals: Link[];
  /** Rows that are in no seal because the server did not write them. */
  forged: string[];
};

/**
 * Seals every row before which no other row can appear any more, and notes the newest seal. Throws if the chain from
 * the noted seal is broken, or if a transaction that may add rows takes too long.
 */
export async function sealActivity(deps: Deps): Promise<Sealing> {
  const { config, db, keys, stopping } = deps;
  const noted = await readNote(config.dataDir);
  const { newest: found, sinceNote } = await findVerifiedNewest(db, keys.activity, noted);
  const settled = await findSettledId(db, stopping);
  let newest = found ?? (await openChain(deps));
  const result: Sealing = { seals: found ? sinceNote : newest ? [newest] : [], forged: [] };
  const { through_id: acceptedThrough } = await findOpening(db, keys.activity);
  const check: RowCheck = { key: keys.activity, acceptedThrough };
  while (newest && !stopping.aborted) {
    const next = await sealNext(deps, check, newest, settled);
    if (!next) break;
    newest = next.seal;
    result.seals.push(next.seal);
    result.forged.push(...next.forged);
  }
  if (newest) await writeNote(config.dataDir, newest);
  return result;
}

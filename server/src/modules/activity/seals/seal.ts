import type { Context } from '../../../core/context.ts';
import type { Deps } from '../../../core/deps.ts';
import { packEntries } from './entries.ts';
import { hashOfSeal, hashOfValues, macOfRow, type SealFacts } from './proof.ts';
import { rememberSeal } from './remembered.ts';
import * as repo from './repo.ts';
import { findSettledId } from './settled.ts';

const batchSize = 1000;

/** Adds the next seal to the chain. Of two servers that try at once, the key of the table lets one through. */
export function addSeal(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  previous: repo.SealRow | undefined,
  facts: Pick<SealFacts, 'kind' | 'through_id'> & Partial<SealFacts>,
): Promise<repo.SealRow> {
  const id = (previous?.id ?? 0) + 1;
  const seal = { row_count: 0, entries: null, removed: null, ...facts, id, sealed_at: clock.now() };
  return repo.insertSeal(db, seal, hashOfSeal(keys.activity, seal, previous?.hash));
}

export const newestSeal = ({ db }: Pick<Context, 'db'>) => repo.findNewestSeal(db);

/** In the order of their ids; `through` must be sealed. */
export const listSealedRows = repo.listRows;

/** Rows of an older version have none of their own: the seal says how they were found. */
export function macInSeal({ keys }: Pick<Deps, 'keys'>, row: repo.ActivityRow): Buffer {
  return row.mac ?? macOfRow(keys.activity, row, hashOfValues(row.salt ?? Buffer.alloc(0), row));
}

async function sealNext(
  deps: Deps,
  previous: repo.SealRow,
  through: number,
): Promise<repo.SealRow | undefined> {
  const sealed = previous.kind === 'opening' ? 0 : previous.through_id;
  const rows = await repo.listRows(deps.db, sealed, through, batchSize);
  const last = rows.at(-1);
  if (!last) return undefined;
  return addSeal(deps, previous, {
    kind: 'rows',
    through_id: rows.length < batchSize ? through : last.id,
    row_count: rows.length,
    entries: packEntries(rows.map((row) => ({ id: row.id, mac: macInSeal(deps, row) }))),
  });
}

/**
 * Seals every row that is there for good. The first seal of all says through which id there are rows of an older version,
 * which did not sign them.
 */
export async function sealActivity(deps: Deps): Promise<void> {
  const settled = await findSettledId(deps.db, deps.stopping);
  if (settled === undefined) return;
  let newest =
    (await repo.findNewestSeal(deps.db)) ??
    (await addSeal(deps, undefined, { kind: 'opening', through_id: await repo.newestWithoutMac(deps.db) }));
  while (!deps.stopping.aborted) {
    const next = await sealNext(deps, newest, settled);
    if (!next) break;
    newest = next;
  }
  await rememberSeal(deps, newest);
}

import type { Deps } from '../../../core/deps.ts';
import { findOpening } from './chain.ts';
import * as repo from './repo.ts';
import { compareWithSeal, entriesOf } from './row-check.ts';

export type NumberedRow = { number: number; row: repo.ActivityRow };

/**
 * The rows of a seal that are as they were sealed, numbered from `firstNumber` on. Changed and removed rows leave a gap
 * in the numbers; added rows have no number.
 */
export async function readGenuineRows(
  { db, keys, log }: Pick<Deps, 'db' | 'keys' | 'log'>,
  seal: repo.SealRow,
  firstNumber: number,
): Promise<NumberedRow[]> {
  const numbers = new Map(entriesOf(seal).map(({ id }, at) => [id, firstNumber + at]));
  const check = { key: keys.activity, acceptedThrough: (await findOpening(db, keys.activity)).through_id };
  const rows = await repo.listRowsById(db, [...numbers.keys()]);
  const problems = compareWithSeal(check, seal, rows);
  for (const { text } of problems)
    log.error({ seal: seal.id }, `the activity log was tampered with: ${text}`);
  const refused = new Set(problems.map(({ row }) => row));
  return rows.filter((row) => !refused.has(row)).map((row) => ({ number: numbers.get(row.id) ?? 0, row }));
}

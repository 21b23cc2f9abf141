import type { KeyObject } from 'node:crypto';
import { type Entry, unpackEntries } from './entries.ts';
import { hashOfValues, isoOf, macBytes, macOfErasure, macOfRow } from './proof.ts';
import type { ActivityRow, SealRow } from './repo.ts';

export type RowCheck = {
  key: KeyObject;
  /** Rows up to this id were accepted as they were when the chain was opened: their mac may be wrong. */
  acceptedThrough: number;
};

export type RowProblem = { row: ActivityRow | undefined; text: string };

const isErasedRow = (row: ActivityRow): row is ActivityRow & { erased: Buffer } => row.erased !== null;

const hashOfRow = (row: ActivityRow) =>
  isErasedRow(row) ? row.erased.subarray(0, -macBytes) : hashOfValues(row.salt, row);

/** The mac that the content of the row must have. */
export const macOfContent = (key: KeyObject, row: ActivityRow) => macOfRow(key, row, hashOfRow(row));

/** The mac may be missing, because an attacker with the database password can remove constraints. */
const hasMac = (row: ActivityRow, mac: Buffer) => row.mac?.equals(mac) === true;

function problemWithErasure(key: KeyObject, row: ActivityRow): string | undefined {
  if (!isErasedRow(row)) return undefined;
  if ([row.salt, row.subject_label, row.detail, row.changes].some((value) => value !== null)) {
    return 'was erased, and has values again';
  }
  const isOurs = macOfErasure(key, row.id, hashOfRow(row)).equals(row.erased.subarray(-macBytes));
  return isOurs ? undefined : 'lost its values, which this program did not erase';
}

/** Why a row is not as the server wrote it; undefined if it is. */
export function problemWithRow({ key, acceptedThrough }: RowCheck, row: ActivityRow): string | undefined {
  if (row.id <= acceptedThrough) return undefined;
  if (!hasMac(row, macOfContent(key, row))) return 'was changed, or not written by this program';
  return problemWithErasure(key, row);
}

function problemWithSealedRow(check: RowCheck, row: ActivityRow, sealedMac: Buffer): string | undefined {
  if (!sealedMac.equals(macOfContent(check.key, row))) return 'was changed';
  if (row.id > check.acceptedThrough && !hasMac(row, sealedMac)) return 'has another mac than its seal';
  return problemWithErasure(check.key, row);
}

/** Compares rows with the entries of their seal. */
export function compareWithSeal(check: RowCheck, seal: SealRow, rows: ActivityRow[]): RowProblem[] {
  const problems: RowProblem[] = [];
  const missingMacs = new Map(entriesOf(seal).map(({ id, mac }) => [id, mac]));
  for (const row of rows) {
    const sealedMac = missingMacs.get(row.id);
    missingMacs.delete(row.id);
    const text = sealedMac
      ? problemWithSealedRow(check, row, sealedMac)
      : 'was added later, or not written by this program';
    if (text) problems.push({ row, text: `${nameOf(row)} ${text}` });
  }
  for (const id of missingMacs.keys()) problems.push({ row: undefined, text: `row ${id} was removed` });
  return problems;
}

export const entriesOf = (seal: SealRow): Entry[] => unpackEntries(seal.entries ?? Buffer.alloc(0));

export const nameOf = (row: ActivityRow) => `row ${row.id} (${row.action}, ${isoOf(row.at)})`;

import type { Deps } from '../../../core/deps.ts';
import { withOwnConnection } from '../../../db/own-connection.ts';
import { type Entry, unpackEntries } from './entries.ts';
import { hashOfSeal, hashOfValues, macBytes, macOfErasure, macOfRow } from './proof.ts';
import { type RememberedSeal, recallSeal, rememberedSealFile } from './remembered.ts';
import * as repo from './repo.ts';

const sealBatch = 20;
const rowBatch = 1000;

export type Verification = {
  rows: number;
  seals: number;
  /** Rows that came after the newest seal. */
  unsealed: number;
  erased: number;
  /** What retention has removed, as the seals say. */
  removed: number;
  newest: repo.SealRow | undefined;
  problems: number;
};

export type VerifyOptions = {
  signal: AbortSignal;
  onProblem: (text: string) => void;
  onRows?: (rows: number) => void;
  /** A seal that somebody has noted elsewhere. */
  noted?: { seal: number; hash: string } | undefined;
};

type Check = VerifyOptions & {
  deps: Deps;
  result: Verification;
  /** Rows up to this id may be of an older version, without a mac. */
  oldThrough: number;
  remembered: RememberedSeal | undefined;
  report(text: string): void;
};

const nameOf = (row: repo.ActivityRow) => `row ${row.id} (${row.action}, ${row.at.toISOString()})`;

/** The mac that the row should have by what stands in it. */
function expectedMac({ deps, report, result }: Check, row: repo.ActivityRow): Buffer {
  const key = deps.keys.activity;
  if (row.erased === null) {
    return macOfRow(key, row, hashOfValues(row.salt ?? Buffer.alloc(0), row));
  }
  result.erased += 1;
  const valuesHash = row.erased.subarray(0, -macBytes);
  const isGenuine = macOfErasure(key, row.id, valuesHash).equals(row.erased.subarray(-macBytes));
  if (!isGenuine) report(`${nameOf(row)}: its values were erased, but not by this program`);
  return macOfRow(key, row, valuesHash);
}

/** Whether the row is as the server wrote it, whatever the seals say. */
function isAsWritten(check: Check, row: repo.ActivityRow): boolean {
  const expected = expectedMac(check, row);
  if (row.mac === null) return row.id <= check.oldThrough;
  return row.mac.equals(expected);
}

/** Compares the rows of one seal with its entries, in the order of their ids. */
function compareRows(check: Check, rows: repo.ActivityRow[], entries: Entry[]): void {
  const sealed = new Map(entries.map(({ id, mac }) => [id, mac]));
  for (const row of rows) {
    check.result.rows += 1;
    const mac = sealed.get(row.id);
    sealed.delete(row.id);
    if (!mac) check.report(`${nameOf(row)} was added later`);
    else if (row.mac === null && row.id > check.oldThrough)
      check.report(`${nameOf(row)} was not written by this program`);
    else if (!mac.equals(expectedMac(check, row))) check.report(`${nameOf(row)} was changed`);
    else if (row.mac !== null && !row.mac.equals(mac)) check.report(`${nameOf(row)}: its mac was changed`);
  }
  for (const id of sealed.keys()) check.report(`row ${id} was removed`);
}

async function* rowsBetween(check: Check, after: number, through: number) {
  let last = after;
  while (!check.signal.aborted) {
    const rows = await repo.listRows(check.deps.db, last, through, rowBatch);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)?.id ?? through;
    check.onRows?.(check.result.rows);
  }
}

async function checkRows(check: Check, seal: repo.SealRow, sealedBefore: number): Promise<void> {
  const rows: repo.ActivityRow[] = [];
  // A seal has a thousand rows at most, but anybody may have added more.
  for await (const batch of rowsBetween(check, sealedBefore, seal.through_id)) rows.push(...batch);
  compareRows(check, rows, unpackEntries(seal.entries ?? Buffer.alloc(0)));
}

async function checkUnsealedRows(check: Check, sealedThrough: number): Promise<void> {
  for await (const batch of rowsBetween(check, sealedThrough, Number.MAX_SAFE_INTEGER)) {
    for (const row of batch) {
      check.result.rows += 1;
      check.result.unsealed += 1;
      if (!isAsWritten(check, row))
        check.report(`${nameOf(row)} was changed, or not written by this program`);
    }
  }
}

/** Seals that are known from elsewhere must be there, unless retention has removed them. */
function checkNotedSeals(check: Check, seen: Map<number, string>, removedThrough: number): void {
  const noted = [
    { at: check.noted, where: 'as it was noted' },
    { at: check.remembered, where: `as ${rememberedSealFile(check.deps.config.dataDir)} says` },
  ];
  for (const { at, where } of noted) {
    if (!at || seen.get(at.seal) === at.hash) continue;
    if (!seen.has(at.seal) && at.seal <= removedThrough) continue;
    const what = seen.has(at.seal) ? 'is another one now' : 'is gone';
    check.report(`seal ${at.seal} (${at.hash}), ${where}, ${what}: rows may be gone with it`);
  }
}

/** Compares every row with what was signed and sealed. Names each row that differs. */
export async function verifyActivity(deps: Deps, options: VerifyOptions): Promise<Verification> {
  const result: Verification = {
    rows: 0,
    seals: 0,
    unsealed: 0,
    erased: 0,
    removed: 0,
    newest: undefined,
    problems: 0,
  };
  const report = (text: string) => {
    result.problems += 1;
    options.onProblem(text);
  };
  // Before the snapshot: rows are added and sealed meanwhile.
  const remembered = await recallSeal(deps.config.dataDir);
  await withOwnConnection(deps.pool, ({ db }) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        const isFirst = (await repo.findNewestSeal(tx)) === undefined;
        const oldThrough = isFirst ? Number.MAX_SAFE_INTEGER : 0;
        const check: Check = {
          ...options,
          deps: { ...deps, db: tx },
          result,
          oldThrough,
          remembered,
          report,
        };
        await checkSeals(check);
        for (const ids of await repo.findCopies(tx))
          report(`rows ${ids.join(' and ')} are copies of one another`);
      }),
  );
  return result;
}

async function checkSeals(check: Check): Promise<void> {
  const { deps, result } = check;
  const removal = await repo.findNewestRemoval(deps.db);
  const seen = new Map<number, string>();
  let previous: { id: number; hash: Buffer } | undefined;
  // Nothing the server writes has such an id, but somebody else may.
  let sealedThrough = Number.MIN_SAFE_INTEGER;
  let seals = await repo.listSeals(deps.db, 0, sealBatch);
  while (seals.length > 0 && !check.signal.aborted) {
    for (const seal of seals) {
      // Retention takes the oldest seals together with their rows, except the first one.
      if (previous?.id === 1 && removal?.removed && seal.id > 2) {
        const { seal: id, hash, total } = removal.removed;
        previous = { id, hash: Buffer.from(hash, 'hex') };
        result.removed = total;
      }
      checkSeal(check, seal, previous);
      if (seal.kind === 'opening') check.oldThrough = seal.through_id;
      if (seal.kind === 'rows') await checkRows(check, seal, sealedThrough);
      if (seal.kind !== 'opening') sealedThrough = seal.through_id;
      seen.set(seal.id, seal.hash.toString('hex'));
      result.newest = seal;
      previous = seal;
    }
    seals = await repo.listSeals(deps.db, previous?.id ?? 0, sealBatch);
  }
  await checkUnsealedRows(check, sealedThrough);
  checkNotedSeals(check, seen, removal?.removed?.seal ?? 0);
}

function checkSeal(
  check: Check,
  seal: repo.SealRow,
  previous: { id: number; hash: Buffer } | undefined,
): void {
  check.result.seals += 1;
  const expected = (previous?.id ?? 0) + 1;
  if (seal.id !== expected) {
    const last = seal.id - 1;
    check.report(last === expected ? `seal ${last} is gone` : `seals ${expected} to ${last} are gone`);
  }
  if (!hashOfSeal(check.deps.keys.activity, seal, previous?.hash).equals(seal.hash)) {
    check.report(`seal ${seal.id}, of ${seal.sealed_at.toISOString()}, was changed or follows another one`);
  }
}

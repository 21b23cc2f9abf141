import type { Deps } from '../../../core/deps.ts';
import { countText } from '../../../core/text.ts';
import type { Database } from '../../../db/client.ts';
import { withOwnConnection } from '../../../db/own-connection.ts';
import { findRemoved, isIntact, type Link, type Removed } from './chain.ts';
import { type NotedSeal, noteFile, readNote } from './note.ts';
import { isoOf } from './proof.ts';
import * as repo from './repo.ts';
import { compareWithSeal, nameOf, problemWithRow, type RowCheck } from './row-check.ts';

const sealBatch = 20;
const rowBatch = 1000;
/** The server seals every minute while it runs. */
const maxUnsealedMs = 5 * 60_000;

export type Verification = {
  rows: number;
  seals: number;
  /** Rows after the newest seal. */
  unsealed: number;
  erased: number;
  /** Rows that retention has removed, as the seals say. */
  removed: number;
  newest: repo.SealRow | undefined;
  problems: number;
};

export type VerifyOptions = {
  signal: AbortSignal;
  onProblem: (text: string) => void;
  onRows?: (rows: number) => void;
  /** Seals that were kept outside of the database and the data folder. */
  noted?: NotedSeal[] | undefined;
};

/**
 * One verification of one snapshot of the database. The seals are a chain: each contains the hash of the one before and
 * lists the rows between that one's newest row and its own. So the verifier reads the seals in order, and the rows of
 * each seal with it. Rows after the newest seal have only their own mac.
 */
class Verifier {
  readonly result: Verification = {
    rows: 0,
    seals: 0,
    unsealed: 0,
    erased: 0,
    removed: 0,
    newest: undefined,
    problems: 0,
  };
  readonly #deps: Deps;
  readonly #db: Database;
  readonly #options: VerifyOptions;
  readonly #check: RowCheck;
  readonly #hashes = new Map<number, string>();
  #removed: Removed | undefined;
  #lastRowId = 0;

  constructor(deps: Deps, db: Database, options: VerifyOptions) {
    this.#deps = deps;
    this.#db = db;
    this.#options = options;
    this.#check = { key: deps.keys.activity, acceptedThrough: 0 };
  }

  async run(noteOfMachine: NotedSeal | undefined): Promise<void> {
    await this.#findRemoved();
    await this.#verifySeals();
    await this.#verifyUnsealedRows();
    if (this.#options.signal.aborted) return;
    await this.#verifyCounts();
    for (const ids of await repo.findCopies(this.#db, this.#check.acceptedThrough)) {
      this.#report(`rows ${ids.join(' and ')} are copies of one another`);
    }
    if (noteOfMachine) this.#verifyNoted(noteOfMachine, `as ${noteFile(this.#deps.config.dataDir)} says`);
    for (const noted of this.#options.noted ?? []) this.#verifyNoted(noted, 'as it was noted');
  }

  #report(text: string): void {
    this.result.problems += 1;
    this.#options.onProblem(text);
  }

  /** Retention removes the oldest seals, except the first, with their rows. A removal that is not intact is ignored. */
  async #findRemoved(): Promise<void> {
    this.#removed = await findRemoved(this.#db, this.#check.key).catch(() => undefined);
    this.result.removed = this.#removed?.total ?? 0;
  }

  async #verifySeals(): Promise<void> {
    let previous: Link | undefined;
    let seals = await repo.listSeals(this.#db, 0, sealBatch);
    while (seals.length > 0 && !this.#options.signal.aborted) {
      for (const seal of seals) {
        if (previous?.id === 1 && seal.id > 2) previous = this.#removed ?? previous;
        this.#verifySeal(seal, previous);
        if (seal.kind === 'rows') await this.#verifyRowsOf(seal);
        previous = seal;
      }
      seals = await repo.listSeals(this.#db, previous?.id ?? 0, sealBatch);
    }
  }

  #verifySeal(seal: repo.SealRow, previous: Link | undefined): void {
    this.result.seals += 1;
    this.result.newest = seal;
    this.#hashes.set(seal.id, seal.hash.toString('hex'));
    const expected = (previous?.id ?? 0) + 1;
    if (seal.id !== expected) {
      const last = seal.id - 1;
      this.#report(last === expected ? `seal ${last} is gone` : `seals ${expected} to ${last} are gone`);
    }
    if (!isIntact(this.#check.key, seal, previous)) {
      this.#report(`seal ${seal.id}, of ${isoOf(seal.sealed_at)}, was changed or follows another one`);
    } else if (seal.kind === 'opening') this.#check.acceptedThrough = seal.through_id;
  }

  async #verifyRowsOf(seal: repo.SealRow): Promise<void> {
    const rows: repo.ActivityRow[] = [];
    for await (const batch of this.#readRows(seal.through_id)) rows.push(...batch);
    for (const { text } of compareWithSeal(this.#check, seal, rows)) this.#report(text);
    this.#lastRowId = seal.through_id;
  }

  async #verifyUnsealedRows(): Promise<void> {
    const latest = this.#deps.clock.now().getTime() - maxUnsealedMs;
    let overdue = 0;
    for await (const batch of this.#readRows(Number.MAX_SAFE_INTEGER)) {
      for (const row of batch) {
        this.result.unsealed += 1;
        const problem = problemWithRow(this.#check, row);
        if (problem) this.#report(`${nameOf(row)} ${problem}`);
        if (row.at.valueOf() < latest) overdue += 1;
      }
    }
    if (overdue > 0) {
      this.#report(
        `not sealed, though older than five minutes: ${countText(overdue, 'row')}. The server seals every minute while it runs`,
      );
    }
  }

  /** The rows after those read so far, in batches, in the order of their ids. */
  async *#readRows(throughId: number) {
    while (!this.#options.signal.aborted) {
      const rows = await repo.listRows(this.#db, this.#lastRowId, throughId, rowBatch);
      const last = rows.at(-1);
      if (!last) return;
      this.result.rows += rows.length;
      this.result.erased += rows.filter(({ erased }) => erased !== null).length;
      yield rows;
      this.#lastRowId = last.id;
      this.#options.onRows?.(this.result.rows);
    }
  }

  /** PostgreSQL counts all rows and seals, also those whose ids JavaScript cannot hold and the verifier does not read. */
  async #verifyCounts(): Promise<void> {
    const totals = await repo.countAll(this.#db);
    this.#verifyCount('row', totals.rows, totals.rowsOutOfRange, this.result.rows);
    this.#verifyCount('seal', totals.seals, totals.sealsOutOfRange, this.result.seals);
  }

  #verifyCount(noun: string, total: number, outOfRange: number, read: number): void {
    if (outOfRange > 0) {
      const counted = countText(outOfRange, noun);
      this.#report(`with ids outside of 1 to ${Number.MAX_SAFE_INTEGER}: ${counted}`);
    }
    const unread = total - outOfRange - read;
    if (unread !== 0) this.#report(`not told apart by their ids: ${countText(Math.abs(unread), noun)}`);
  }

  /** A seal that is noted elsewhere must be there, unless retention has removed it. */
  #verifyNoted({ seal, hash }: NotedSeal, source: string): void {
    const found = this.#hashes.get(seal);
    const wasRemoved = !found && this.#removed !== undefined && seal <= this.#removed.id;
    if (found === hash || wasRemoved) return;
    const what = found ? 'is another one now' : 'is gone';
    this.#report(`seal ${seal} (${hash}), ${source}, ${what}: rows may be gone with it`);
  }
}

/** Compares every row with its mac and its seal, and names each row that differs. */
export async function verifyActivity(deps: Deps, options: VerifyOptions): Promise<Verification> {
  // Before the snapshot: the server adds and seals rows meanwhile.
  const noted = await readNote(deps.config.dataDir);
  return withOwnConnection(deps.pool, ({ db }) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        const verifier = new Verifier(deps, tx, options);
        await verifier.run(noted);
        return verifier.result;
      }),
  );
}

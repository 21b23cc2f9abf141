import type { Deps } from '../../../core/deps.ts';
import { countText } from '../../../core/text.ts';
import type { Database } from '../../../db/client.ts';
import { withOwnConnection } from '../../../db/own-connection.ts';
import { findRemoved, followsRemovedSeals, isIntact, type Link, type RemovedSeals } from './chain.ts';
import { type NotedSeal, noteFile, readNote } from './note.ts';
import { isoOf } from './proof.ts';
import * as repo from './repo.ts';
import { compareWithSeal, nameOf, problemWithRow, type RowCheck } from './row-check.ts';

const sealsPerBatch = 20;
const rowsPerBatch = 1000;
const maxUnsealedMs = 5 * 60_000;

export type Verification = {
  rows: number;
  seals: number;
  /** Rows after the newest seal. */
  unsealed: number;
  /** Rows whose values were erased. */
  erased: number;
  /** Rows that retention has removed, according to the seals. */
  removed: number;
  newest: repo.SealRow | undefined;
  problems: number;
};

export type VerifyOptions = {
  signal: AbortSignal;
  onProblem: (text: string) => void;
  onRows?: (rows: number) => void;
  /** Seals that the operator kept outside of the database and the data folder. */
  noted?: NotedSeal[] | undefined;
};

/**
 * Verifies one snapshot of the log, in which an attacker with the database password may have changed anything. What
 * they cannot do without the server's key:
 * - Change or add a row: each row has a mac of its content.
 * - Remove a row: each seal lists the macs of the rows since the previous seal.
 * - Remove a seal: its hash covers the hash of the previous seal, so that the seals form a chain.
 * - Remove the newest seals with their rows: a note outside of the database names the newest seal.
 *
 * The rows after the newest seal have only their mac. Retention removes the oldest seals but the first, with their
 * rows, and adds a seal that says so.
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
  readonly #rowCheck: RowCheck;
  /** In hex, by the id of the seal. */
  readonly #sealHashes = new Map<number, string>();
  #removedSeals: RemovedSeals | undefined;
  #lastReadRowId = 0;

  constructor(deps: Deps, db: Database, options: VerifyOptions) {
    this.#deps = deps;
    this.#db = db;
    this.#options = options;
    this.#rowCheck = { key: deps.keys.activity, acceptedThrough: 0 };
  }

  /** `machineNote` is the newest seal that this machine has noted in its data folder. */
  async run(machineNote: NotedSeal | undefined): Promise<void> {
    this.#removedSeals = await this.#findRemovedSeals();
    this.result.removed = this.#removedSeals?.total ?? 0;
    await this.#verifySealsWithRows();
    await this.#verifyUnsealedRows();
    if (this.#options.signal.aborted) return;
    await this.#reportUnreadIds();
    await this.#reportCopiedRows();
    if (machineNote) this.#verifyNotedSeal(machineNote, `as ${noteFile(this.#deps.config.dataDir)} says`);
    for (const noted of this.#options.noted ?? []) this.#verifyNotedSeal(noted, 'as it was noted');
  }

  #report(text: string): void {
    this.result.problems += 1;
    this.#options.onProblem(text);
  }

  /** If the seal of the removal is not intact, the removed seals count as missing. */
  #findRemovedSeals(): Promise<RemovedSeals | undefined> {
    return findRemoved(this.#db, this.#rowCheck.key).catch(() => undefined);
  }

  async #verifySealsWithRows(): Promise<void> {
    let previous: Link | undefined;
    for await (const seal of this.#readSeals()) {
      if (followsRemovedSeals(seal, previous)) previous = this.#removedSeals ?? previous;
      this.#verifySeal(seal, previous);
      if (seal.kind === 'rows') await this.#verifyRowsOf(seal);
      previous = seal;
    }
  }

  async *#readSeals(): AsyncGenerator<repo.SealRow> {
    let seals = await repo.listSeals(this.#db, 0, sealsPerBatch);
    while (seals.length > 0 && !this.#options.signal.aborted) {
      yield* seals;
      seals = await repo.listSeals(this.#db, seals.at(-1)?.id ?? 0, sealsPerBatch);
    }
  }

  #verifySeal(seal: repo.SealRow, previous: Link | undefined): void {
    this.result.seals += 1;
    this.result.newest = seal;
    this.#sealHashes.set(seal.id, seal.hash.toString('hex'));
    const expectedId = (previous?.id ?? 0) + 1;
    if (seal.id !== expectedId) this.#reportMissingSeals(expectedId, seal.id - 1);
    if (!isIntact(this.#rowCheck.key, seal, previous)) {
      this.#report(`seal ${seal.id}, of ${isoOf(seal.sealed_at)}, was changed or follows another one`);
      return;
    }
    // An operator has accepted the rows up to this one as they were.
    if (seal.kind === 'opening') this.#rowCheck.acceptedThrough = seal.through_id;
  }

  #reportMissingSeals(first: number, last: number): void {
    this.#report(first === last ? `seal ${last} is gone` : `seals ${first} to ${last} are gone`);
  }

  async #verifyRowsOf(seal: repo.SealRow): Promise<void> {
    const rows: repo.ActivityRow[] = [];
    for await (const batch of this.#readRows(seal.through_id)) rows.push(...batch);
    for (const { text } of compareWithSeal(this.#rowCheck, seal, rows)) this.#report(text);
    this.#lastReadRowId = seal.through_id;
  }

  async #verifyUnsealedRows(): Promise<void> {
    const overdueBefore = this.#deps.clock.now().getTime() - maxUnsealedMs;
    let overdue = 0;
    for await (const batch of this.#readRows(Number.MAX_SAFE_INTEGER)) {
      for (const row of batch) {
        this.result.unsealed += 1;
        const problem = problemWithRow(this.#rowCheck, row);
        if (problem) this.#report(`${nameOf(row)} ${problem}`);
        if (row.at.valueOf() < overdueBefore) overdue += 1;
      }
    }
    if (overdue > 0) {
      this.#report(
        `not sealed, though older than five minutes: ${countText(overdue, 'row')}. The server seals every minute while it runs`,
      );
    }
  }

  /** The rows that were not read yet, up to `throughId`, in the order of their ids. */
  async *#readRows(throughId: number) {
    while (!this.#options.signal.aborted) {
      const rows = await repo.listRows(this.#db, this.#lastReadRowId, throughId, rowsPerBatch);
      const last = rows.at(-1);
      if (!last) return;
      this.result.rows += rows.length;
      this.result.erased += rows.filter(({ erased }) => erased !== null).length;
      yield rows;
      this.#lastReadRowId = last.id;
      this.#options.onRows?.(this.result.rows);
    }
  }

  /** Rows and seals whose ids are not safe integers or not unique were not read, or read twice. */
  async #reportUnreadIds(): Promise<void> {
    const totals = await repo.countAll(this.#db);
    this.#compareCount('row', totals.rows, totals.rowsOutOfRange, this.result.rows);
    this.#compareCount('seal', totals.seals, totals.sealsOutOfRange, this.result.seals);
  }

  #compareCount(noun: string, total: number, outOfRange: number, read: number): void {
    if (outOfRange > 0) {
      const counted = countText(outOfRange, noun);
      this.#report(`with ids outside of 1 to ${Number.MAX_SAFE_INTEGER}: ${counted}`);
    }
    const unread = total - outOfRange - read;
    if (unread !== 0) this.#report(`with the id of another one: ${countText(Math.abs(unread), noun)}`);
  }

  async #reportCopiedRows(): Promise<void> {
    for (const ids of await repo.findCopies(this.#db, this.#rowCheck.acceptedThrough)) {
      this.#report(`rows ${ids.join(' and ')} are copies of one another`);
    }
  }

  /** A noted seal must be in the chain, unless retention has removed it. */
  #verifyNotedSeal({ seal, hash }: NotedSeal, source: string): void {
    const foundHash = this.#sealHashes.get(seal);
    const isRemoved = !foundHash && this.#removedSeals !== undefined && seal <= this.#removedSeals.id;
    if (foundHash === hash || isRemoved) return;
    const problem = foundHash ? 'is another one now' : 'is gone';
    this.#report(`seal ${seal} (${hash}), ${source}, ${problem}: rows may be gone with it`);
  }
}

/** Compares every row with its mac and its seal, and reports each one that differs. */
export async function verifyActivity(deps: Deps, options: VerifyOptions): Promise<Verification> {
  // Before the snapshot begins, because the server notes newer seals meanwhile.
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

import type { Deps } from '../../../core/deps.ts';
import { countText } from '../../../core/text.ts';
import type { Database } from '../../../db/client.ts';
import { withOwnConnection } from '../../../db/own-connection.ts';
import { findRemoved, isIntact, type Link, type Removed } from './chain.ts';
import { type NotedSeal, noteFile, readNote } from './note.ts';
import { isoOf } from './proof.ts';
import * as repo from './repo.ts';
import { compareWithSeal, nameOf, problemWithRow } from './row-check.ts';

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
  /** Seals that were kept outside of the database, and of the data folder. */
  noted?: NotedSeal[] | undefined;
};

/** One verification, on one snapshot of the database. */
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
  readonly #hashes = new Map<number, string>();
  /** Rows up to this id were sealed as they were found. */
  #foundThrough = 0;
  #sealedThrough = 0;
  #removed: Removed | undefined;

  constructor(deps: Deps, db: Database, options: VerifyOptions) {
    this.#deps = deps;
    this.#db = db;
    this.#options = options;
  }

  report(text: string): void {
    this.result.problems += 1;
    this.#options.onProblem(text);
  }

  get #isStopped() {
    return this.#options.signal.aborted;
  }

  get #check() {
    return { key: this.#deps.keys.activity, foundThrough: this.#foundThrough };
  }

  async run(noteOfMachine: NotedSeal | undefined): Promise<void> {
    const isUnopened = !noteOfMachine && !(await repo.findNewestSeal(this.#db));
    if (isUnopened) this.#foundThrough = await repo.newestWithoutMac(this.#db);
    await this.#readRemoved();
    await this.#readSeals();
    await this.#readUnsealedRows();
    if (this.#isStopped) return;
    await this.#compareCounts();
    for (const ids of await repo.findCopies(this.#db)) {
      this.report(`rows ${ids.join(' and ')} are copies of one another`);
    }
    const { dataDir } = this.#deps.config;
    if (noteOfMachine) this.#compareNoted(noteOfMachine, `as ${noteFile(dataDir)} says`);
    for (const noted of this.#options.noted ?? []) this.#compareNoted(noted, 'as it was noted');
  }

  async #readRemoved(): Promise<void> {
    try {
      this.#removed = await findRemoved(this.#db, this.#deps.keys.activity);
    } catch {
      // Reading the seals reports the one that is wrong.
      this.#removed = undefined;
    }
    this.result.removed = this.#removed?.total ?? 0;
  }

  async #readSeals(): Promise<void> {
    let previous: Link | undefined;
    let seals = await repo.listSeals(this.#db, 0, sealBatch);
    while (seals.length > 0 && !this.#isStopped) {
      for (const seal of seals) {
        if (previous?.id === 1 && seal.id > 2) previous = this.#removed ?? previous;
        this.#compareWithPrevious(seal, previous);
        await this.#readRowsOf(seal);
        this.#hashes.set(seal.id, seal.hash.toString('hex'));
        this.result.newest = seal;
        previous = seal;
      }
      seals = await repo.listSeals(this.#db, previous?.id ?? 0, sealBatch);
    }
  }

  #compareWithPrevious(seal: repo.SealRow, previous: Link | undefined): void {
    this.result.seals += 1;
    const expected = (previous?.id ?? 0) + 1;
    if (seal.id !== expected) {
      const last = seal.id - 1;
      this.report(last === expected ? `seal ${last} is gone` : `seals ${expected} to ${last} are gone`);
    }
    if (!isIntact(this.#deps.keys.activity, seal, previous)) {
      this.report(`seal ${seal.id}, of ${isoOf(seal.sealed_at)}, was changed or follows another one`);
    } else if (seal.kind === 'opening') this.#foundThrough = seal.through_id;
  }

  async #readRowsOf(seal: repo.SealRow): Promise<void> {
    if (seal.kind !== 'rows') return;
    const rows: repo.ActivityRow[] = [];
    // A seal has a thousand rows at most, but more may have been added to the table.
    for await (const batch of this.#rowsUntil(seal.through_id)) rows.push(...batch);
    for (const { text } of compareWithSeal(this.#check, seal, rows)) this.report(text);
    this.#sealedThrough = seal.through_id;
  }

  async #readUnsealedRows(): Promise<void> {
    const latest = this.#deps.clock.now().getTime() - maxUnsealedMs;
    let overdue = 0;
    for await (const batch of this.#rowsUntil(Number.MAX_SAFE_INTEGER)) {
      for (const row of batch) {
        this.result.unsealed += 1;
        const problem = problemWithRow(this.#check, row);
        if (problem) this.report(`${nameOf(row)} ${problem}`);
        if (row.at.valueOf() < latest) overdue += 1;
      }
    }
    if (overdue > 0) {
      this.report(
        `not sealed, though older than five minutes: ${countText(overdue, 'row')}. The server seals every minute while it runs`,
      );
    }
  }

  /** The next rows in the order of their ids. */
  async *#rowsUntil(through: number) {
    let last = this.#sealedThrough;
    while (!this.#isStopped) {
      const rows = await repo.listRows(this.#db, last, through, rowBatch);
      if (rows.length === 0) return;
      this.result.rows += rows.length;
      this.result.erased += rows.filter(({ erased }) => erased !== null).length;
      yield rows;
      last = rows.at(-1)?.id ?? through;
      this.#options.onRows?.(this.result.rows);
    }
  }

  /** What reading by ids does not see is still counted. */
  async #compareCounts(): Promise<void> {
    const totals = await repo.countAll(this.#db);
    const compare = (noun: string, total: number, outOfRange: number, seen: number) => {
      if (outOfRange > 0) {
        const counted = countText(outOfRange, noun);
        this.report(`with ids outside of 1 to ${Number.MAX_SAFE_INTEGER}: ${counted}`);
      }
      const unseen = total - outOfRange - seen;
      if (unseen !== 0) this.report(`not told apart by their ids: ${countText(Math.abs(unseen), noun)}`);
    };
    compare('row', totals.rows, totals.rowsOutOfRange, this.result.rows);
    compare('seal', totals.seals, totals.sealsOutOfRange, this.result.seals);
  }

  /** Seals that are known from elsewhere must be there, unless retention has removed them. */
  #compareNoted({ seal, hash }: NotedSeal, source: string): void {
    const found = this.#hashes.get(seal);
    const wasRemoved = !found && this.#removed !== undefined && seal <= this.#removed.id;
    if (found === hash || wasRemoved) return;
    const what = found ? 'is another one now' : 'is gone';
    this.report(`seal ${seal} (${hash}), ${source}, ${what}: rows may be gone with it`);
  }
}

/** Compares every row with what was signed and sealed. Names each row that differs. */
export async function verifyActivity(deps: Deps, options: VerifyOptions): Promise<Verification> {
  // Before the snapshot: rows are added and sealed meanwhile.
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

import type pg from 'pg';
import { valueTypes } from './value-types.ts';

type Row = Record<string, unknown>;
type Column = { name: string; parse: (text: string) => unknown };
type Result = { rows: Row[]; command: string; rowCount: number };
export type Done = (...outcome: [error: Error, result: undefined] | [error: null, result: Result]) => void;

/** What the library's own types leave out. */
type Connection = pg.Connection & {
  parsedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  bind(config: { statement: string; values: unknown[] }): void;
  describe(what: { type: 'P' }): void;
  execute(): void;
};

/**
 * The columns of each prepared statement, as a connection was told them the first time. They hold as long
 * as the connection does: PostgreSQL refuses to run a statement whose columns are no longer those.
 */
const knownColumns = new WeakMap<pg.Connection, Map<string, Column[]>>();

function columnsOf(connection: pg.Connection): Map<string, Column[]> {
  const known = knownColumns.get(connection) ?? new Map<string, Column[]>();
  knownColumns.set(connection, known);
  return known;
}

/**
 * One statement on its way; without a name it is parsed and described each time. The library's own class asks
 * PostgreSQL for the columns of a prepared one too, and gets ready for them anew each time, which takes longer
 * than to read the one row that mostly comes.
 */
export class Statement implements pg.Submittable {
  readonly name: string;
  readonly text: string;
  readonly values: (string | Buffer | null)[];
  readonly query_timeout: number;
  /** The library puts its own in front of it, which stops the clock. */
  callback: Done;
  readonly #result: Result = { rows: [], command: '', rowCount: 0 };
  #known = new Map<string, Column[]>();
  #columns: Column[] = [];
  #failure: Error | null = null;

  constructor(
    { name, text, withinMs }: { name: string; text: string; withinMs: number },
    values: (string | Buffer | null)[],
    done: Done,
  ) {
    this.name = name;
    this.text = text;
    this.values = values;
    this.query_timeout = withinMs;
    this.callback = done;
  }

  submit(opened: pg.Connection): void {
    const connection = opened as Connection;
    this.#known = columnsOf(connection);
    const columns = this.name ? this.#known.get(this.name) : undefined;
    if (columns) this.#columns = columns;
    // So that it leaves in one piece.
    connection.stream.cork();
    if (connection.parsedStatements[this.name] === undefined) connection.parse(this);
    connection.bind({ statement: this.name, values: this.values });
    if (!columns) connection.describe({ type: 'P' });
    connection.execute();
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: valueTypes.getTypeParser(dataTypeID, 'text'),
    }));
    if (this.name) this.#known.set(this.name, this.#columns);
  }

  handleDataRow({ fields: texts }: { fields: (string | null)[] }): void {
    const row: Row = {};
    try {
      for (let index = 0; index < this.#columns.length; index += 1) {
        const { name, parse } = this.#columns[index] as Column;
        const text = texts[index] as string | null;
        row[name] = text === null ? null : parse(text);
      }
      this.#result.rows.push(row);
    } catch (error) {
      // Thrown from here it would end the process; what is still to come has to be heard out.
      this.#failure = error as Error;
    }
  }

  /** Such as 'SELECT 3', 'UPDATE 2', 'INSERT 0 1' or 'BEGIN'. */
  handleCommandComplete({ text }: { text: string }): void {
    const [command = '', ...counts] = text.split(' ');
    this.#result.command = command;
    this.#result.rowCount = Number(counts.at(-1) ?? 0);
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.callback(this.#failure, undefined);
    else this.callback(null, this.#result);
  }

  handleError(error: Error): void {
    this.callback(error, undefined);
  }

  handleEmptyQuery(): void {}
}

import type { Compilable, CompiledQuery } from 'kysely';
import { type Database, shortWay } from './client.ts';

class Placeholder {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

type Rows<Q> = Q extends Compilable<infer Row> ? Row[] : never;

/**
 * For the statements of every request: building and compiling one takes longer than the database takes
 * for it, so that is done the first time only. `build` gets stand-ins for the values; they may go
 * where a value goes, and nowhere else.
 */
export function compiledOnce<Values extends object, Q extends Compilable>(
  build: (db: Database, values: Values) => Q,
): (db: Database, values: Values) => Promise<Rows<Q>> {
  let compiled: CompiledQuery | undefined;
  const standIns = new Proxy({} as Values, { get: (_target, name) => new Placeholder(name) });
  return (db, values) => {
    compiled ??= build(db, standIns).compile();
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
    const run = shortWay(db);
    const rows = run
      ? run(compiled.sql, parameters)
      : db.executeQuery({ ...compiled, parameters }).then((result) => result.rows);
    return rows as Promise<Rows<Q>>;
  };
}

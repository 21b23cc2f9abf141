import type { Compilable, CompiledQuery } from 'kysely';
import type { Database } from './client.ts';
import { prepare } from './prepared.ts';

class Placeholder {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

type Rows<Q> = Q extends Compilable<infer Row> ? Row[] : never;

/**
 * For the statements of every request: building and compiling one takes longer than the database takes for it, so
 * that is done the first time only, and the statement is prepared. `build` gets placeholders for the values; they may
 * go where a value goes, and nowhere else.
 */
export function compiledOnce<Values extends object, Q extends Compilable>(
  build: (db: Database, values: Values) => Q,
): (db: Database, values: Values) => Promise<Rows<Q>> {
  let compiled: CompiledQuery | undefined;
  const placeholders = new Proxy({} as Values, { get: (_target, name) => new Placeholder(name) });
  return async (db, values) => {
    if (!compiled) {
      compiled = build(db, placeholders).compile();
      prepare(compiled.sql);
    }
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
    const { rows } = await db.executeQuery({ ...compiled, parameters });
    return rows as Rows<Q>;
  };
}

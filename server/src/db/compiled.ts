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
 * Builds and compiles a statement once and prepares it: doing so for every request would take longer than running
 * it. `build` gets placeholders, which may only stand where a value goes.
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

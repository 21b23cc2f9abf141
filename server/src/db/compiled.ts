import type { Compilable, CompiledQuery } from 'kysely';
import type { Database } from './client.ts';
import { prepare } from './prepared.ts';

class Placeholder {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Puts a placeholder where a call will put its value. */
export type Parameter<Values> = <Name extends keyof Values>(name: Name) => Values[Name];

type Rows<Q> = Q extends Compilable<infer Row> ? Row[] : never;

/**
 * Compiles a statement once and prepares it. Compiling takes 20 to 80 µs, which would be a fifth of a request for one
 * customer.
 */
export function compiledOnce<Values, Q extends Compilable>(
  build: (db: Database, parameter: Parameter<Values>) => Q,
): (db: Database, values: Values) => Promise<Rows<Q>> {
  let compiled: CompiledQuery | undefined;
  return async (db, values) => {
    if (!compiled) {
      compiled = build(db, (name) => new Placeholder(name) as never).compile();
      prepare(compiled.sql);
    }
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
    const { rows } = await db.executeQuery({ ...compiled, parameters });
    return rows as Rows<Q>;
  };
}

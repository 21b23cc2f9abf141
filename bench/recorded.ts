import type pg from 'pg';
import type { App } from '../server/src/start/app.ts';
import type { Case } from './cases.ts';

/** A statement as the server sent it. */
export type Statement = { text: string; name: string | undefined; values: unknown[] };

type QueryConfig = { text: string; name?: string; values?: unknown[] };

/** Listens to everything that goes to the database through this pool. */
export function recordStatements(pool: pg.Pool): {
  during<T>(work: () => Promise<T>): Promise<[T, Statement[]]>;
} {
  let heard: Statement[] = [];
  const known = new WeakSet<object>();
  pool.on('acquire', (client) => {
    if (known.has(client)) return;
    known.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const listening = (...args: unknown[]) => {
      const [config] = args;
      const { text, name, values } = (typeof config === 'string' ? { text: config } : config) as QueryConfig;
      heard.push({ text, name, values: values ?? [] });
      return query(...args);
    };
    client.query = listening as typeof client.query;
  });
  return {
    async during(work) {
      heard = [];
      const result = await work();
      const statements = heard;
      heard = [];
      return [result, statements];
    },
  };
}

/** What the server asks the database for the first request of a case. */
export async function recordCase(
  app: App,
  recorder: ReturnType<typeof recordStatements>,
  { name, requests, expectedStatus }: Case,
): Promise<Statement[]> {
  const [first] = requests;
  if (!first) return [];
  const { method, path, headers, body } = first;
  const [answer, statements] = await recorder.during(() =>
    app.inject({ method, url: path, headers, ...(body === undefined ? {} : { payload: body }) }),
  );
  if (answer.statusCode !== expectedStatus) {
    throw new Error(`${name}: ${method} ${path} answered ${answer.statusCode} ${answer.body.slice(0, 300)}`);
  }
  return statements;
}

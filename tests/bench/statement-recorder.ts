import type pg from 'pg';
import type { App } from '../../server/src/start/app.ts';
import type { Case } from './cases.ts';

/** A statement as the server sent it. */
export type Statement = { text: string; values: unknown[] };

type QueryConfig = { text: string; values?: unknown[] };

/** Records every statement sent through this pool; returns a function that takes those since its last call. */
export function recordStatements(pool: pg.Pool): () => Statement[] {
  let recorded: Statement[] = [];
  const wrapped = new WeakSet<object>();
  pool.on('acquire', (client) => {
    if (wrapped.has(client)) return;
    wrapped.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const recordingQuery = (...args: unknown[]) => {
      const [config] = args;
      const { text, values } = (typeof config === 'string' ? { text: config } : config) as QueryConfig;
      // A new connection asks this first; it is no part of a request.
      if (!text.includes('transaction_read_only')) recorded.push({ text, values: values ?? [] });
      return query(...args);
    };
    client.query = recordingQuery as typeof client.query;
  });
  return () => {
    const statements = recorded;
    recorded = [];
    return statements;
  };
}

/** The server's statements for the first request of a case. */
export async function recordCase(
  app: App,
  takeStatements: () => Statement[],
  { name, requests, expectedStatus }: Case,
): Promise<Statement[]> {
  const [first] = requests;
  if (!first) return [];
  const { method, path, headers, body } = first;
  takeStatements();
  const answer = await app.inject({
    method,
    url: path,
    headers,
    ...(body !== undefined && { payload: body }),
  });
  if (answer.statusCode !== expectedStatus) {
    throw new Error(`${name}: ${method} ${path} answered ${answer.statusCode} ${answer.body.slice(0, 300)}`);
  }
  return takeStatements();
}

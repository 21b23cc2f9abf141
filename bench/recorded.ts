import type pg from 'pg';
import type { App } from '../server/src/app.ts';
import type { Case, Request } from './cases.ts';

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

export const requestKey = (name: string, index: number) => `${name}/${index}`;

/** What the server asks the database for each request of a case. */
export async function recordCase(
  app: App,
  recorder: ReturnType<typeof recordStatements>,
  benchCase: Case,
): Promise<Record<string, Statement[]>> {
  const recorded: Record<string, Statement[]> = {};
  const send = async ({ method, path, headers, body }: Request) =>
    app.inject({ method, url: path, headers, ...(body === undefined ? {} : { payload: body }) });
  // What the server asks once and remembers is not part of a request.
  const [first] = benchCase.requests;
  if (first && benchCase.kind === 'read') await send(first);
  for (const [index, request] of benchCase.requests.entries()) {
    const [answer, statements] = await recorder.during(() => send(request));
    if (answer.statusCode !== benchCase.expectedStatus) {
      throw new Error(
        `${benchCase.name}: ${request.method} ${request.path} answered ${answer.statusCode} ${answer.body.slice(0, 300)}`,
      );
    }
    recorded[requestKey(benchCase.name, index)] = statements;
  }
  return recorded;
}

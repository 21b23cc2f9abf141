import { apiDocument, operationsOf } from '@customer-database/testkit/api';
import type { Answer, Client } from '@customer-database/testkit/client';
import type { TestApp } from '@customer-database/testkit/test-app';

export type Recording = {
  /** The successful responses, by call such as 'GET /api/customers/{id}'. */
  answers: { name: string; answer: Answer }[];
  /** The bodies of all error responses. */
  refusals: unknown[];
};

/** The server, whose clients record every response. */
export function recordingTo({ answers, refusals }: Recording, server: TestApp): TestApp {
  const calls = operationsOf(apiDocument(server)).map(({ name, method, path }) => ({
    name,
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '\\d+')}$`),
  }));
  const nameOf = (method: string, path: string) => {
    const { pathname } = new URL(path, server.url);
    return calls.find((call) => call.method === method && call.pattern.test(pathname))?.name ?? pathname;
  };
  const record = async (method: string, path: string, asked: Promise<Answer>): Promise<Answer> => {
    const answer = await asked;
    if (answer.status >= 400) refusals.push(answer.body);
    else answers.push({ name: nameOf(method, path), answer });
    return answer;
  };
  const client = (token?: string): Client => {
    const real = server.client(token);
    return {
      get: (path, ...rest) => record('GET', path, real.get(path, ...rest)),
      post: (path, ...rest) => record('POST', path, real.post(path, ...rest)),
      put: (path, ...rest) => record('PUT', path, real.put(path, ...rest)),
      delete: (path, ...rest) => record('DELETE', path, real.delete(path, ...rest)),
      send: (path, init) => record(init.method ?? 'GET', path, real.send(path, init)),
    };
  };
  return { ...server, client };
}

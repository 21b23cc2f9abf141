import { errorCodes } from '@customer-database/contract/errors';
import { expect } from 'vitest';
import type { Answer } from './client.ts';

/** What a response must never leak: stacks, SQL, names of our files, folders and libraries, or their jargon. */
const internals =
  /\bat [\w.<>]+ \(|\.(?:ts|js|mjs|sql):\d|node_modules|\/(?:tmp|home|root|work|usr|var)\/|\bselect\b.+\bfrom\b|\b(?:insert into|update) \w+\b|relation "|column "|constraint "|syntax error|Kysely|postgres|ECONN|FST_|Zod|must match pattern|expected \w+, received|Invalid (?:input|option|string):/i;

/** Every error has one shape: a text for people, a known code and the request id. */
export function expectProblem(answer: Answer, status: number, code?: string): void {
  const { body } = answer;
  const summary = `${answer.status} ${JSON.stringify(body).slice(0, 300)}`;
  expect(answer.status, summary).toBe(status);
  expect(typeof body.error === 'string' && body.error.trim().length > 0, summary).toBe(true);
  expect(errorCodes, summary).toContain(body.code);
  if (code !== undefined) expect(body.code, summary).toBe(code);
  expect(body.request_id, summary).toBe(answer.headers.get('x-request-id'));
  expect(String(body.request_id), summary).toMatch(/^[\da-f-]{36}$/);
  expect(Object.keys(body).filter((key) => !['error', 'code', 'request_id', 'fields'].includes(key))).toEqual(
    [],
  );
  expect(body.error, summary).not.toMatch(internals);
  // The one name that must not become a key of a response.
  const isUnnameable = body.error === '__proto__ is not a field that can be set here';
  if (status === 400 && body.code !== 'MALFORMED_REQUEST' && !isUnnameable) {
    expect(Object.values(body.fields ?? {}).length, summary).toBeGreaterThan(0);
    for (const text of Object.values(body.fields)) expect(text, summary).toEqual(expect.stringMatching(/\S/));
  }
}

import { errorCodes } from '@customer-database/contract/errors';
import { expect } from 'vitest';
import type { Answer } from './client.ts';

/** What an answer must never tell: stacks, SQL, names of our files, folders and libraries, or their jargon. */
const inside =
  /\bat [\w.<>]+ \(|\.(?:ts|js|mjs|sql):\d|node_modules|\/(?:tmp|home|root|work|usr|var)\/|\bselect\b.+\bfrom\b|\b(?:insert into|update) \w+\b|relation "|column "|constraint "|syntax error|Kysely|postgres|ECONN|FST_|Zod|must match pattern|expected \w+, received|Invalid (?:input|option|string):/i;

/** Every refusal has one shape: a text for people, a known code, the id of the request. */
export function expectProblem(answer: Answer, status: number, code?: string): void {
  const { body } = answer;
  const said = `${answer.status} ${JSON.stringify(body).slice(0, 300)}`;
  expect(answer.status, said).toBe(status);
  expect(typeof body.error === 'string' && body.error.trim().length > 0, said).toBe(true);
  expect(errorCodes, said).toContain(body.code);
  if (code !== undefined) expect(body.code, said).toBe(code);
  expect(body.request_id, said).toBe(answer.headers.get('x-request-id'));
  expect(String(body.request_id), said).toMatch(/^[\da-f-]{36}$/);
  expect(Object.keys(body).filter((key) => !['error', 'code', 'request_id', 'fields'].includes(key))).toEqual(
    [],
  );
  expect(body.error, said).not.toMatch(inside);
  // The one name that must not become the name of anything in an answer.
  const isUnnameable = body.error === '__proto__ is not a field that can be set here';
  if (status === 400 && body.code !== 'MALFORMED_REQUEST' && !isUnnameable) {
    expect(Object.values(body.fields ?? {}).length, said).toBeGreaterThan(0);
    for (const text of Object.values(body.fields)) expect(text, said).toEqual(expect.stringMatching(/\S/));
  }
}

import { expect, it } from 'vitest';
import { createLog, reasonOf } from '../../src/core/log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown> {
  const lines: string[] = [];
  write(createLog('trace', { write: (line) => lines.push(line) }));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '');
}

it('redacts secrets by field name at any depth', () => {
  const body = { email: 'a@example.com', password: 'p1', inner: { token: 't1', deep: { secret: 's1' } } };
  const line = logged((log) =>
    log.info({ body, options: { headers: { authorization: 'Bearer x' } } }, 'hello'),
  );
  expect(line).toMatchObject({
    level: 'info',
    msg: 'hello',
    body: {
      email: 'a@example.com',
      password: '[hidden]',
      inner: { token: '[hidden]', deep: { secret: '[hidden]' } },
    },
    options: { headers: '[hidden]' },
  });
  expect(body.password, 'the object itself stays as it is').toBe('p1');
});

it("logs an error's message and stack, but no other fields and no query strings", () => {
  const cause = Object.assign(new Error('the row is refused'), {
    code: '23514',
    detail: 'Failing row: (hunter2)',
  });
  const error = new Error("'/api/documents/1/content?user=1&signature=abc' is not valid", { cause });
  const line = logged((log) => log.error({ err: error }, 'failed'));
  expect(line.err).toMatchObject({
    type: 'Error',
    message: "'/api/documents/1/content?[hidden]' is not valid",
    cause: { message: 'the row is refused', code: '23514' },
  });
  expect(JSON.stringify(line)).toContain('log.test.ts');
  expect(JSON.stringify(line)).not.toMatch(/hunter2|signature|user=1/);
});

it('logs only the path of a request', () => {
  const req = {
    method: 'GET',
    url: '/login?password=hunter2',
    raw: { headers: { authorization: 'Bearer x' } },
  };
  expect(logged((log) => log.error({ req })).req).toEqual({ method: 'GET', path: '/login' });
});

it('finds the root cause of an error, without query strings', () => {
  const refused = new Error('connect ECONNREFUSED ::1:9000');
  const unreachable = new AggregateError([refused, new Error('connect ECONNREFUSED 127.0.0.1:9000')]);
  const around = (cause: unknown) => new Error('it was not done', { cause });
  expect(reasonOf(around(unreachable))).toBe('connect ECONNREFUSED ::1:9000');
  expect(reasonOf(around(around(new Error('no /a?X-Signature=abc there'))))).toBe('no /a?[hidden] there');
  expect(reasonOf(around(new Error('')))).toBe('it was not done');
  expect(reasonOf(around('a text'))).toBe('it was not done');
  expect(reasonOf('a text')).toBe('a text');
});

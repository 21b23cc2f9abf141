import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, it } from 'vitest';
import { expectNoBlock } from './longest-block.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

const room = 16 * 1024;
const fields = (count: number) => Array.from({ length: count }, (_, n) => `"${n.toString(36)}":0`).join(',');
const filled = (start: string, piece: string, end: string) =>
  start + piece.repeat((room - start.length - end.length) / piece.length) + end;

const get = (target: string, header = '') =>
  Buffer.from(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${header}\r\n`);

const post = (target: string, body: string) =>
  Buffer.from(
    `POST ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
  );

const login = '/api/auth/login';
const passkey = '/api/auth/passkeys/sign-in/finish';

describe('a hundred hostile requests at once without a session', () => {
  it.each<[string, number, () => Buffer]>([
    ['bodies of 1 MB, nested as deep as they are long', 413, () => post(login, '['.repeat(1_000_000))],
    ['bodies of 1 MB with 90,000 fields', 413, () => post(login, `{${fields(90_000)}}`)],
    ['bodies of 1 MB to an unknown address', 404, () => post('/api/nothing', `{${fields(90_000)}}`)],
    ['nested bodies', 400, () => post(login, '['.repeat(room))],
    ['bodies with many fields', 400, () => post(login, `{${fields(1_900)}}`)],
    ['bodies with suspicious names', 400, () => post(login, filled('{"a":[', '{"constructor":0},', '0]}'))],
    [
      'bodies with many escapes',
      400,
      () => post(login, filled('{"email":"', '\\u0041', '","password":"abc"}')),
    ],
    [
      'answers of a passkey with many fields',
      400,
      () => post(passkey, `{"state":"x","response":{${fields(1_800)}}}`),
    ],
    ['queries with many parameters', 400, () => get(`/api/documents/1/content?${'a&'.repeat(7_900)}`)],
    ['many cookies', 200, () => get('/api/auth/setup', `cookie: ${'a=%41;'.repeat(2_600)}\r\n`)],
    ['long lists of encodings', 200, () => get('/login', `accept-encoding: ${'a;q=0,'.repeat(2_600)}\r\n`)],
  ])('%s: no other request waits 200 ms', async (_what, status, make) => {
    await expectNoBlock(app, Array<Buffer>(100).fill(make()), status);
  });
});

import { makeCustomer, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { expectNoBlock } from '@customer-database/testkit/longest-block';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, it } from 'vitest';

let app: TestApp;
let admin: TestUser;
let fields: string;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  const { id } = await makeCustomer(admin.client);
  fields = `"customer_id":${id},"filename":"a.pdf","mime_type":"application/pdf"`;
});

const withFile = (file: string) => `{${fields},"file_data":"${file}"}`;

/** HTTP chunked encoding. */
function inChunks(body: string, size: number): Buffer {
  const chunks: string[] = [];
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.slice(at, at + size);
    chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  }
  return Buffer.from(`${chunks.join('')}0\r\n\r\n`);
}

const sent = (length: string, body: Buffer) =>
  Buffer.concat([
    Buffer.from(
      `POST /api/documents HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${admin.token}\r\n` +
        `content-type: application/json\r\n${length}\r\n\r\n`,
    ),
    body,
  ]);

const megabyte = 1_000_000;

describe('A JSON body made to keep the server busy', () => {
  it.each<[string, number, () => string, number?]>([
    ['names the file 50,000 times', 400, () => `{${fields}${',"file_data":""'.repeat(50_000)}}`],
    ['names it as often with escapes', 400, () => `{${fields}${',"file\\u005fdata":""'.repeat(50_000)}}`],
    ['is a file of 13 MB of \\/', 400, () => withFile('\\/'.repeat(6.5 * megabyte))],
    ['is a file of 13 MB of \\u002f', 400, () => withFile('\\u002f'.repeat(2.2 * megabyte))],
    ['has an escape in every piece of 12 bytes', 400, () => withFile('QUJDQUJDQ\\/J'.repeat(1.1 * megabyte))],
    ['comes 5 bytes at a time', 400, () => withFile('QU\\/D'.repeat(20_000)), 5],
    ['has 13 MB of blanks', 413, () => `{${' '.repeat(13 * megabyte)}${fields}}`],
    ['has 13 MB in another field', 413, () => `{${fields},"description":"${'\\/'.repeat(6.5 * megabyte)}"}`],
    ['has as many fields as there is room for', 400, () => `{${fields},${manyFields()}"z":0}`],
    [
      'is as deep as there is room for',
      400,
      () => `{${fields},"a":${'['.repeat(250_000)}${']'.repeat(250_000)}}`,
    ],
  ])('%s: nobody else waits 200 ms', async (_what, expected, body, chunkSize) => {
    const text = body();
    const request = chunkSize
      ? sent('transfer-encoding: chunked', inChunks(text, chunkSize))
      : sent(`content-length: ${text.length}`, Buffer.from(text));
    await expectNoBlock(app, [request], expected);
  });
});

const manyFields = () => Array.from({ length: 50_000 }, (_, n) => `"${n.toString(36)}":0,`).join('');

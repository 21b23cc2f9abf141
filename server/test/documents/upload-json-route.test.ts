import { createHash } from 'node:crypto';
import type { Answer } from '@customer-database/testkit/client';
import { download, stored, texts } from '@customer-database/testkit/documents';
import {
  aPdf,
  makeCustomer,
  makeUser,
  type TestUser,
  uploadBody,
} from '@customer-database/testkit/factories';
import { expectProblem } from '@customer-database/testkit/problems';
import { openSocket } from '@customer-database/testkit/raw-http';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

let app: TestApp;
let admin: TestUser;
let customerId: number;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  customerId = (await makeCustomer(admin.client)).id;
});

/** With a Content-Length, or in the given pieces and without one. */
function send(body: Buffer | string | Buffer[]): Promise<Answer> {
  const sent = Array.isArray(body)
    ? { body: ReadableStream.from(body.map((chunk) => new Uint8Array(chunk))), duplex: 'half' }
    : { body: Buffer.from(body) };
  return admin.client.send('/api/documents', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ...sent,
  } as RequestInit);
}

const piecesOf = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );

async function expectNothingStored(work: () => Promise<unknown>): Promise<void> {
  const before = await stored(app);
  await work();
  expect(await stored(app)).toEqual(before);
}

async function expectStored(answer: Answer, bytes: Buffer): Promise<void> {
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const { id, file_size } = answer.body.document;
  expect(file_size).toBe(bytes.length);
  expect((await download(admin.client, id)).equals(bytes)).toBe(true);
  const { rows } = await app.pool.query('select sha256 from documents where id = $1', [id]);
  expect(rows[0].sha256.equals(createHash('sha256').update(bytes).digest())).toBe(true);
}

const pdf = aPdf('In pieces');
const fields = () => JSON.stringify(uploadBody(customerId, { file_data: undefined })).slice(1, -1);
const encoded = pdf.toString('base64');

describe('POST /api/documents as JSON', () => {
  it.each([
    ['in one piece', (body: Buffer) => [body]],
    ['in pieces of 7 bytes', (body: Buffer) => piecesOf(body, 7)],
    ['in pieces of 1000 bytes', (body: Buffer) => piecesOf(body, 1000)],
  ])('is stored byte for byte when it comes %s', async (_, pieces) => {
    await expectStored(await send(pieces(Buffer.from(`{${fields()},"file_data":"${encoded}"}`))), pdf);
  });

  it.each<[string, () => string]>([
    ['the file first', () => `{"file_data":"${encoded}",${fields()}}`],
    ['blanks everywhere', () => ` \r\n{ ${fields()} ,\n "file_data"\t:\r\n "${encoded}" } \n`],
    ['a byte order mark', () => `\ufeff{${fields()},"file_data":"${encoded}"}`],
    ['the key in escapes', () => `{${fields()},"file\\u005fdata":"${encoded}"}`],
    ['every slash escaped', () => `{${fields()},"file_data":"${encoded.replaceAll('/', '\\/')}"}`],
    [
      'plus and equals in escapes',
      () => `{${fields()},"file_data":"${encoded.replaceAll('+', '\\u002b').replaceAll('=', '\\u003D')}"}`,
    ],
    [
      'all in escapes',
      () =>
        `{${fields()},"file_data":"${encoded.replace(/./g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}"}`,
    ],
  ])('is understood with %s', async (_, body) => {
    await expectStored(await send(body()), pdf);
    await expectStored(await send(piecesOf(Buffer.from(body()), 97)), pdf);
  });

  it('is refused with a second file, whatever the values and the spelling of the keys', async () => {
    const keys = ['file_data', 'file\\u005fdata'];
    const values = [`"${encoded}"`, 'null', '""', '"no file"', '[]'];
    await expectNothingStored(async () => {
      for (const [first, second] of keys.flatMap((one) => keys.map((other) => [one, other]))) {
        for (const value of values) {
          for (const [one, other] of [
            [value, `"${encoded}"`],
            [`"${encoded}"`, value],
          ]) {
            const answer = await send(`{"${first}":${one},${fields()},"${second}":${other}}`);
            expectProblem(answer, 400, 'VALIDATION_FAILED');
            expect(answer.body.fields).toEqual({ file_data: 'file_data was sent twice' });
          }
        }
      }
    });
  });

  it.each<[string, string, string]>([
    ['nothing', '""', texts.noFile],
    ['null', 'null', texts.noFile],
    ['a number', '5', texts.noFile],
    ['an array', `["${encoded}"]`, texts.noFile],
    ['an object', `{"file_data":"${encoded}"}`, texts.noFile],
    ['a text that is no base64', '"not base64"', 'file_data must be the content of the file in base64'],
    [
      'line breaks',
      `"${encoded.slice(0, 76)}\\n${encoded.slice(76)}"`,
      'file_data must be the content of the file in base64',
    ],
    [
      'the alphabet of addresses',
      `"${encoded.slice(0, -4)}-_-_"`,
      'file_data must be the content of the file in base64',
    ],
    [
      'one character less',
      `"${encoded.slice(0, -1)}"`,
      'file_data must be the content of the file in base64',
    ],
    [
      'bytes that are no UTF-8',
      `"\xff\xfe${encoded.slice(2)}"`,
      'file_data must be the content of the file in base64',
    ],
  ])('is refused with %s for a file', async (_, value, text) => {
    await expectNothingStored(async () => {
      for (const key of ['file_data', 'file\\u005fdata']) {
        // The fields are ASCII, so latin1 keeps the bytes of the value.
        const body = Buffer.from(`{${fields()},"${key}":${value}}`, 'latin1');
        const answer = await send(body);
        expectProblem(answer, 400, 'VALIDATION_FAILED');
        expect(answer.body.fields).toEqual({ file_data: text });
      }
    });
  });

  it('finds no file inside other fields', async () => {
    await expectNothingStored(async () => {
      for (const inner of [`{"file_data":"${encoded}"}`, `[{"file_data":"${encoded}"}]`]) {
        const answer = await send(`{${fields()},"other":${inner}}`);
        expectProblem(answer, 400, 'VALIDATION_FAILED');
        expect(answer.body.fields).toEqual({
          file_data: texts.noFile,
          other: 'other is not a field that can be set here',
        });
      }
      expectProblem(await send(`[${fields()},"file_data":"${encoded}"]`), 400, 'MALFORMED_REQUEST');
      expectProblem(await send(`"file_data"`), 400, 'MALFORMED_REQUEST');
    });
  });

  it('is refused wherever it is truncated', async () => {
    await expectNothingStored(async () => {
      const body = Buffer.from(`{"file_data":"${encoded}",${fields()}}`);
      const ends = [
        0,
        1,
        5,
        12,
        13,
        14,
        15,
        40,
        encoded.length + 13,
        encoded.length + 14,
        encoded.length + 15,
      ];
      for (const end of [...ends, body.length - 20, body.length - 2, body.length - 1]) {
        expectProblem(await send(body.subarray(0, end)), 400, 'MALFORMED_REQUEST');
        if (end > 0)
          expectProblem(await send(piecesOf(body.subarray(0, end), 500)), 400, 'MALFORMED_REQUEST');
      }
    });
  });

  it('is not stored when the caller disconnects before the end', async () => {
    await expectNothingStored(async () => {
      const body = `{${fields()},"file_data":"${encoded}"}`;
      for (const missing of [1, 2, 3, 100]) {
        const socket = await openSocket(app.url);
        const served = new Promise((resolve) => socket.once('close', resolve));
        socket.write(
          `POST /api/documents HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${admin.token}\r\n` +
            `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, -missing)}`,
        );
        socket.end();
        socket.resume();
        await served;
      }
      expectProblem(await send('{}'), 400);
    });
  });

  it.each([
    ['a comma too many', () => `{${fields()},"file_data":"${encoded}",}`],
    ['two objects', () => `{${fields()},"file_data":"${encoded}"}{}`],
    ['a bracket too many', () => `{${fields()},"file_data":"${encoded}"}]`],
    ['no colon', () => `{${fields()},"file_data" "${encoded}"}`],
    ['two colons', () => `{${fields()},"file_data"::"${encoded}"}`],
    ['two values', () => `{${fields()},"file_data":"${encoded}" "${encoded}"}`],
    ['a word before the value', () => `{${fields()},"file_data":x"${encoded}"}`],
    ['single quotes', () => `{${fields()},'file_data':'${encoded}'}`],
    ['the key without quotes', () => `{${fields()},file_data:"${encoded}"}`],
    ['a NUL at the end', () => `{${fields()},"file_data":"${encoded}"}\0`],
    ['__proto__', () => `{${fields()},"file_data":"${encoded}","__proto__":{}}`],
  ])('is refused with %s', async (_, body) => {
    await expectNothingStored(async () => {
      expectProblem(await send(body()), 400, 'MALFORMED_REQUEST');
      expectProblem(await send(piecesOf(Buffer.from(body()), 50)), 400, 'MALFORMED_REQUEST');
    });
  });

  it('is refused with invalid UTF-8 in another field', async () => {
    await expectNothingStored(async () => {
      const body = Buffer.from(`{"description":"\xff",${fields()},"file_data":"${encoded}"}`, 'latin1');
      const answer = await send(body);
      expectProblem(answer, 400, 'MALFORMED_REQUEST');
      expect(answer.body.error).toBe('The request is not valid UTF-8');
    });
  });
});

describe('the length of a JSON upload', () => {
  const limit = Math.ceil((10 * 1024 * 1024) / 3) * 4 + 512 * 1024;
  const ways: [string, (body: Buffer) => Promise<Answer>][] = [
    ['told', (body) => send(body)],
    ['not told', (body) => send(piecesOf(body, 256 * 1024))],
  ];
  const large = Buffer.concat([pdf, Buffer.alloc(10 * 1024 * 1024)], 10 * 1024 * 1024);
  const padded = (length: number) =>
    Buffer.from(`{${fields()},"file_data":"${large.toString('base64')}"}`.padEnd(length, ' '));

  it.each(ways)(
    'may be as much as a file of 10 MiB and all other fields need: %s beforehand',
    async (_, way) => {
      // The remaining text has null in place of the file.
      await expectStored(await way(padded(limit - 'null'.length)), large);
    },
  );

  it.each(ways)('may not be one byte more, as a file that is too large: %s beforehand', async (_, way) => {
    await expectNothingStored(async () => {
      const answer = await way(padded(limit + 1));
      expectProblem(answer, 413, 'FILE_TOO_LARGE');
      expect(answer.body.fields).toEqual({ file_data: texts.tooLarge });
    });
  });

  it.each(ways)('may not be more than half a MiB without the file: %s beforehand', async (_, way) => {
    await expectNothingStored(async () => {
      for (const rest of [' '.repeat(600_000), `"description":"${'x'.repeat(600_000)}",`]) {
        const body = Buffer.from(`{${rest}${fields()},"file_data":"${encoded}"}`);
        expectProblem(await way(body), 413, 'REQUEST_TOO_LARGE');
      }
    });
  });
});

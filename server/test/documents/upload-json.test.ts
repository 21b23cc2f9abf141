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

function send(body: Buffer | string): Promise<Answer> {
  return admin.client.send('/api/documents', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(body),
  });
}

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
const notBase64 = 'file_data must be the content of the file in base64';

describe('POST /api/documents as JSON', () => {
  it.each<[string, () => string]>([
    ['the file first', () => `{"file_data":"${encoded}",${fields()}}`],
    ['blanks everywhere', () => ` \r\n{ ${fields()} ,\n "file_data"\t:\r\n "${encoded}" } \n`],
    ['a byte order mark', () => `\ufeff{${fields()},"file_data":"${encoded}"}`],
    ['the key in escapes', () => `{${fields()},"file\\u005fdata":"${encoded}"}`],
    ['every slash escaped', () => `{${fields()},"file_data":"${encoded.replaceAll('/', '\\/')}"}`],
  ])('is understood with %s', async (_, body) => {
    await expectStored(await send(body()), pdf);
  });

  it.each<[string, string, string]>([
    ['nothing', '""', texts.noFile],
    ['null', 'null', texts.noFile],
    ['a number', '5', texts.noFile],
    ['other text', '"not base64"', notBase64],
    ['a list', '["QUJD"]', texts.noFile],
    ['line breaks', `"${encoded.slice(0, 76)}\\n${encoded.slice(76)}"`, notBase64],
    ['a data URL', `"data:application/pdf;base64,${encoded}"`, notBase64],
    ['the alphabet of URLs', `"${encoded.slice(0, -4)}-_-_"`, notBase64],
    ['one character less', `"${encoded.slice(0, -1)}"`, notBase64],
    ['bits beyond its end', '"YR=="', notBase64],
    ['padding in the middle', '"YQ==YQ=="', notBase64],
    ['too much padding', '"YQ======"', notBase64],
  ])('is refused with %s for a file', async (_, value, text) => {
    await expectNothingStored(async () => {
      const answer = await send(`{${fields()},"file_data":${value}}`);
      expectProblem(answer, 400, 'VALIDATION_FAILED');
      expect(answer.body.fields).toEqual({ file_data: text });
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

  it('is refused with invalid UTF-8 anywhere', async () => {
    await expectNothingStored(async () => {
      for (const file of [encoded, `\xff${encoded}`]) {
        const body = Buffer.from(`{"description":"\xff",${fields()},"file_data":"${file}"}`, 'latin1');
        const answer = await send(body);
        expectProblem(answer, 400, 'MALFORMED_REQUEST');
        expect(answer.body.error).toBe('The request is not valid UTF-8');
      }
    });
  });
});

describe('the length of a JSON upload', () => {
  const limit = Math.ceil((10 * 1024 * 1024) / 3) * 4 + 512 * 1024;
  const large = Buffer.concat([pdf, Buffer.alloc(10 * 1024 * 1024)], 10 * 1024 * 1024);
  const padded = (length: number) =>
    Buffer.from(`{${fields()},"file_data":"${large.toString('base64')}"}`.padEnd(length, ' '));

  it('may be as much as a file of 10 MiB and all other fields need', async () => {
    await expectStored(await send(padded(limit)), large);
  });

  it('may not be one byte more, as a file that is too large', async () => {
    await expectNothingStored(async () => {
      const answer = await send(padded(limit + 1));
      expectProblem(answer, 413, 'FILE_TOO_LARGE');
      expect(answer.body.fields).toEqual({ file_data: texts.tooLarge });
    });
  });
});

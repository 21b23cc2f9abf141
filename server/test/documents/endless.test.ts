import { stored, texts } from '@customer-database/testkit/documents';
import { type EndlessRequest, sendEndlessly } from '@customer-database/testkit/endless-request';
import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it, vi } from 'vitest';

const MiB = 1024 * 1024;

let app: TestApp;
let admin: TestUser;
let customerId: number;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  customerId = (await makeCustomer(admin.client)).id;
});

const json = 'application/json';
const form = 'multipart/form-data; boundary=b';
const lengths: Record<string, Record<string, string>> = {
  'a Content-Length': { 'content-length': '99999999999' },
  'no length told': { 'transfer-encoding': 'chunked' },
};

const jsonOpening = '{"customer_id":1,"filename":"a.pdf","mime_type":"application/pdf","file_data":"';
const partOpening = (disposition: string) => `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;

const requestOf = (type: string, length: string, opening: string): EndlessRequest => ({
  path: '/api/documents',
  headers: { authorization: `Bearer ${admin.token}`, 'content-type': type, ...lengths[length] },
  opening,
  giveUpAfterBytes: 200 * MiB,
});

const uploadsLogged = () =>
  app
    .logs()
    .split('\n')
    .filter((line) => line.includes('"method":"POST","path":"/api/documents"'))
    .map((line) => JSON.parse(line).status);

/** The status is read from the server's log: a caller who never stops sending may not hear the answer. */
async function statusAndBytes(request: EndlessRequest): Promise<{ status: number; taken: number }> {
  const before = uploadsLogged().length;
  const taken = await sendEndlessly(app, request);
  await vi.waitFor(() => expect(uploadsLogged()).toHaveLength(before + 1), 10_000);
  return { status: uploadsLogged().at(-1), taken };
}

describe('An upload that never ends', () => {
  it.each<[string, string, string, string, number, number?]>([
    ['JSON', 'a Content-Length', json, jsonOpening, 1],
    ['JSON', 'no length told', json, jsonOpening, 20],
    ['JSON with a second file', 'no length told', json, `${jsonOpening}","file_data":"`, 20, 400],
    ['a form', 'a Content-Length', form, partOpening('name="file"; filename="a.pdf"'), 30],
    ['a form', 'no length told', form, partOpening('name="file"; filename="a.pdf"'), 30],
    ['a form with a field without end', 'no length told', form, partOpening('name="description"'), 30],
    ['a form that never begins', 'no length told', form, 'x', 30],
  ])(
    'as %s with %s is refused before it is read whole',
    async (_, length, type, opening, mostMiB, refusal = 413) => {
      const before = await stored(app);
      const { status, taken } = await statusAndBytes(requestOf(type, length, opening));
      expect(status).toBe(refusal);
      expect(taken).toBeLessThan(mostMiB * MiB);
      expect(await stored(app)).toEqual(before);
    },
  );

  it('leaves room for the uploads that follow', async () => {
    const endless = requestOf(form, 'no length told', partOpening('name="file"; filename="a.pdf"'));
    for (let round = 0; round < 6; round += 1) await sendEndlessly(app, endless);
    expect((await makeDocument(admin.client, customerId)).customer_id).toBe(customerId);
  });

  it.each(Object.keys(lengths))(
    'and comes from nobody, with %s, is refused and not read for long',
    async (length) => {
      const { headers, ...request } = requestOf(json, length, jsonOpening);
      const { authorization: _, ...anonymous } = headers;
      const { status, taken } = await statusAndBytes({ ...request, headers: anonymous });
      expect(status).toBe(401);
      expect(taken).toBeLessThan(20 * MiB);
    },
  );

  it('is not taken by other calls either: they stop at 1 MB', async () => {
    for (const path of ['/api/documents/search', '/api/customers']) {
      for (const length of Object.keys(lengths)) {
        const taken = await sendEndlessly(app, { ...requestOf(json, length, '{"name":"'), path });
        expect(taken).toBeLessThan(4 * MiB);
      }
    }
  });
});

describe('A body of more than 1 MB', () => {
  it.each(['/api/documents/search', '/api/documents/check-duplicate', '/api/customers'])(
    'is too large for %s',
    async (path) => {
      const answer = await admin.client.post(path, { filename: 'a'.repeat(MiB) });
      expect(answer.status).toBe(413);
      expect(answer.body).toMatchObject({ error: 'The request is too large', code: 'REQUEST_TOO_LARGE' });
    },
  );

  it('is told as a file that is too large where files are sent', async () => {
    const answer = await admin.client.post('/api/documents', { file_data: 'a'.repeat(15 * MiB) });
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({ error: texts.tooLarge, code: 'FILE_TOO_LARGE' });
  });
});

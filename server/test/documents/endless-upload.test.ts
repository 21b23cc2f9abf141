import { stored } from '@customer-database/testkit/documents';
import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type EndlessRequest, sendEndlessly } from './endless-request.ts';

const mib = 1024 * 1024;

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
  'no length': { 'transfer-encoding': 'chunked' },
};

const jsonOpening = '{"customer_id":1,"filename":"a.pdf","mime_type":"application/pdf","file_data":"';
const partOpening = (disposition: string) => `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;

const requestOf = (type: string, length: string, opening: string): EndlessRequest => ({
  path: '/api/documents',
  headers: { authorization: `Bearer ${admin.token}`, 'content-type': type, ...lengths[length] },
  opening,
  giveUpAfterBytes: 200 * mib,
});

const uploadsLogged = () =>
  app
    .logs()
    .split('\n')
    .filter((line) => line.includes('"method":"POST","path":"/api/documents"'))
    .map((line) => JSON.parse(line).status);

/** Reads the status from the log: a caller who never stops sending may miss the response. */
async function statusAndBytes(request: EndlessRequest): Promise<{ status: number; taken: number }> {
  const before = uploadsLogged().length;
  const taken = await sendEndlessly(app, request);
  await vi.waitFor(() => expect(uploadsLogged()).toHaveLength(before + 1), 10_000);
  return { status: uploadsLogged().at(-1), taken };
}

describe('An upload that never ends', () => {
  it.each<[string, string, string, string, number]>([
    ['JSON', 'a Content-Length', json, jsonOpening, 1],
    ['JSON', 'no length', json, jsonOpening, 20],
    ['a form', 'a Content-Length', form, partOpening('name="file"; filename="a.pdf"'), 30],
    ['a form', 'no length', form, partOpening('name="file"; filename="a.pdf"'), 30],
    ['a form with an endless field', 'no length', form, partOpening('name="description"'), 30],
    ['a form that never begins', 'no length', form, 'x', 30],
  ])('as %s with %s is refused before it is fully read', async (_, length, type, opening, maxMib) => {
    const before = await stored(app);
    const { status, taken } = await statusAndBytes(requestOf(type, length, opening));
    expect(status).toBe(413);
    expect(taken).toBeLessThan(maxMib * mib);
    expect(await stored(app)).toEqual(before);
  });

  it('does not block later uploads', async () => {
    const endless = requestOf(form, 'no length', partOpening('name="file"; filename="a.pdf"'));
    for (let round = 0; round < 6; round += 1) await sendEndlessly(app, endless);
    expect((await makeDocument(admin.client, customerId)).customer_id).toBe(customerId);
  });

  it.each(Object.keys(lengths))(
    'without a session, with %s, is refused and the connection is closed',
    async (length) => {
      const { headers, ...request } = requestOf(json, length, jsonOpening);
      const { authorization: _, ...anonymous } = headers;
      const { status, taken } = await statusAndBytes({ ...request, headers: anonymous });
      expect(status).toBe(401);
      expect(taken).toBeLessThan(20 * mib);
    },
  );

  it('is refused by other calls after 1 MB', async () => {
    for (const path of ['/api/documents/search', '/api/customers']) {
      for (const length of Object.keys(lengths)) {
        const taken = await sendEndlessly(app, { ...requestOf(json, length, '{"name":"'), path });
        expect(taken).toBeLessThan(4 * mib);
      }
    }
  });
});

describe('A body of more than 1 MB', () => {
  it('is too large for calls without files', async () => {
    for (const path of ['/api/documents/search', '/api/documents/check-duplicate', '/api/customers']) {
      const answer = await admin.client.post(path, { filename: 'a'.repeat(mib) });
      expect(answer.status, path).toBe(413);
      expect(answer.body).toMatchObject({ error: 'The request is too large', code: 'REQUEST_TOO_LARGE' });
    }
  });
});

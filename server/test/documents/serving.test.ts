import { createHash } from 'node:crypto';
import { issueLink, kinds } from '@customer-database/testkit/documents';
import {
  aPdf,
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
} from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

const bytes = aPdf('Ranges '.repeat(100));

let app: TestApp;
let admin: TestUser;
let customerId: number;
let url: string;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  customerId = (await makeCustomer(admin.client)).id;
  const { id } = await makeDocument(admin.client, customerId, {}, bytes);
  url = await issueLink(admin.client, id, 'view');
});

async function serve(purpose: 'download' | 'view', overrides: Record<string, unknown>, content: Buffer) {
  const { id } = await makeDocument(admin.client, customerId, overrides, content);
  return fetch(await issueLink(admin.client, id, purpose));
}

describe('A document is served', () => {
  it.each(kinds)('with the type of a $kind', async ({ kind, mimeType, bytes: content }) => {
    const response = await serve('view', { filename: `type.${kind}`, mime_type: mimeType }, content);
    const expected = kind === 'txt' ? 'text/plain; charset=utf-8' : mimeType;
    expect(response.headers.get('content-type')).toBe(expected);
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
  });

  it.each([
    ['utf-8', Buffer.from('Grüße, 你好')],
    ['utf-8', Buffer.from('plain ascii')],
    ['windows-1252', Buffer.from('Gr\xfc\xdfe', 'latin1')],
  ])('with the charset %s where the text uses it', async (charset, content) => {
    const response = await serve('view', { filename: 'notes.txt', mime_type: 'text/plain' }, content);
    expect(response.headers.get('content-type')).toBe(`text/plain; charset=${charset}`);
    expect(new TextDecoder(charset).decode(await response.arrayBuffer())).toMatch(/Grüße|plain/);
  });

  it('with a policy that allows no script, no form and nothing from elsewhere', async () => {
    for (const purpose of ['download', 'view'] as const) {
      const { headers } = await serve(purpose, {}, bytes);
      const policy = (headers.get('content-security-policy') ?? '').split(';').map((rule) => rule.trim());
      expect(policy).toContain('sandbox');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("form-action 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy.join()).not.toMatch(/script|allow-/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('accept-ranges')).toBe('bytes');
      expect(headers.get('set-cookie')).toBeNull();
    }
  });

  it('inline to view and as an attachment to download, with a name as in RFC 6266', async () => {
    const plain = { filename: 'Plain name.pdf' };
    const viewed = await serve('view', plain, bytes);
    expect(viewed.headers.get('content-disposition')).toBe('inline; filename="Plain name.pdf"');
    const odd = { filename: 'Vertrag "№5" 合同 👩‍👧.pdf' };
    const downloaded = await serve('download', odd, bytes);
    const disposition = downloaded.headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^attachment; filename="[ -~]+"; filename\*=UTF-8''[\w!#$&+\-.^`|~%]+$/);
    expect(disposition).toContain(`filename*=UTF-8''${encodeURIComponent(odd.filename)}`);
  });

  it('without headers injected by its name', async () => {
    const filename = 'a.pdf"; filename="evil.exe';
    const refused = await serve('download', { filename: `${filename}.pdf` }, bytes);
    expect(refused.headers.get('content-disposition')).toBe(
      'attachment; filename="a.pdf\\"; filename=\\"evil.exe.pdf"',
    );
  });
});

describe('HEAD of a link', () => {
  it('returns what GET would, without a body', async () => {
    const [head, get] = await Promise.all([fetch(url, { method: 'HEAD' }), fetch(url)]);
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    for (const name of ['content-length', 'content-type', 'content-disposition', 'etag', 'accept-ranges']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
    expect(head.headers.get('content-length')).toBe(String(bytes.length));
    await get.arrayBuffer();
  });

  it('ignores ranges', async () => {
    const head = await fetch(url, { method: 'HEAD', headers: { range: 'bytes=0-3' } });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(String(bytes.length));
  });
});

describe('A Range', () => {
  const size = bytes.length;
  const fetchRange = (range: string, headers: Record<string, string> = {}) =>
    fetch(url, { headers: { range, ...headers } });

  it.each<[string, string, number, number]>([
    ['the first bytes', 'bytes=0-4', 0, 4],
    ['one byte', 'bytes=7-7', 7, 7],
    ['the middle', 'bytes=100-299', 100, 299],
    ['an open end', `bytes=${size - 10}-`, size - 10, size - 1],
    ['a suffix', 'bytes=-20', size - 20, size - 1],
    ['a suffix longer than the document', 'bytes=-99999999', 0, size - 1],
    ['an end beyond the document', `bytes=10-${size + 1000}`, 10, size - 1],
    ['everything', 'bytes=0-', 0, size - 1],
  ])('of %s returns 206 with those bytes', async (_, range, start, end) => {
    const response = await fetchRange(range);
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size}`);
    expect(response.headers.get('content-length')).toBe(String(end - start + 1));
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes.subarray(start, end + 1));
  });

  it.each([`bytes=${size}-`, `bytes=${size + 5}-${size + 9}`, 'bytes=99999999999999999999-'])(
    'beyond the end (%s) returns 416 and the size',
    async (range) => {
      const response = await fetchRange(range);
      expect(response.status).toBe(416);
      expect(response.headers.get('content-range')).toBe(`bytes */${size}`);
      expect(await response.json()).toMatchObject({ code: 'RANGE_NOT_SATISFIABLE' });
    },
  );

  it.each(['bytes=0-1,5-6', 'bytes=0-1, -5', 'lines=0-4', 'bytes', 'bytes=x-y', 'bytes=5-2x'])(
    'that is not a single byte range (%s) returns the whole document',
    async (range) => {
      const response = await fetchRange(range);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-range')).toBeNull();
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    },
  );

  it('with If-Range applies while the document is the same, otherwise the whole is sent', async () => {
    const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
    const same = await fetchRange('bytes=0-3', { 'if-range': etag });
    expect(same.status).toBe(206);
    expect(same.headers.get('etag')).toBe(etag);
    for (const validator of ['"other"', `W/${etag}`, new Date().toUTCString()]) {
      const response = await fetchRange('bytes=0-3', { 'if-range': validator });
      expect(response.status, validator).toBe(200);
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    }
  });

  it('in pieces, as download managers request it, adds up to the document', async () => {
    const pieces: Buffer[] = [];
    for (let start = 0; start < size; start += 200) {
      pieces.push(Buffer.from(await (await fetchRange(`bytes=${start}-${start + 199}`)).arrayBuffer()));
    }
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  });
});

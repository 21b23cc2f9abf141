import { createHash } from 'node:crypto';
import { issueLink } from '@customer-database/testkit/documents';
import {
  aPdf,
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
} from '@customer-database/testkit/factories';
import { builtFiles } from '@customer-database/testkit/pages';
import { sendRaw } from '@customer-database/testkit/raw-http';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemContext } from '../../src/core/context.ts';
import { setUserDisabled } from '../../src/modules/accounts/users/commands.ts';

const bytes = aPdf('Ranges '.repeat(100));

let app: TestApp;
let admin: TestUser;
let customerId: number;
let url: string;

beforeAll(async () => {
  app = await startTestApp({ withJobs: true });
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
  it('returns what GET would, without a body and whatever the range', async () => {
    const range = { range: 'bytes=0-3' };
    const [head, get] = await Promise.all([fetch(url, { method: 'HEAD', headers: range }), fetch(url)]);
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    for (const name of ['content-length', 'content-type', 'content-disposition', 'etag', 'accept-ranges']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
    expect(head.headers.get('content-length')).toBe(String(bytes.length));
    await get.arrayBuffer();
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
});

const inTab = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html,*/*;q=0.8' };

/** As it is: `fetch` names itself in the Sec-Fetch headers. */
function open(link: string, headers: Record<string, string> = inTab, method = 'GET') {
  const { pathname, search } = new URL(link);
  return sendRaw(app.url, { method, target: pathname + search, headers });
}

const actionsOn = async (documentId: number) =>
  (await admin.client.get(`/api/activity?document_id=${documentId}`)).body.activity.map(
    ({ action }: { action: string }) => action,
  );

describe('A link to view, opened in a tab of a browser', () => {
  it('shows the viewer with the policy of our pages, and does not record a view yet', async () => {
    const { id } = await makeDocument(admin.client, customerId, {}, bytes);
    const link = await issueLink(admin.client, id, 'view');
    const before = await actionsOn(id);
    // Browsers name themselves in Sec-Fetch headers over HTTPS and on localhost only.
    for (const headers of [inTab, { accept: inTab.accept }]) {
      const answer = await open(link, headers);
      expect([answer.status, answer.body]).toEqual([200, builtFiles['/index.html']]);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      const policy = answer.headers.get('content-security-policy');
      expect(policy).toBe((await open(`${app.url}/login`)).headers.get('content-security-policy'));
      expect(policy).toContain("frame-ancestors 'none'");
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    expect(await actionsOn(id)).toEqual(before);
    await (await fetch(link)).arrayBuffer();
    expect(await actionsOn(id)).toEqual(['document.viewed', ...before]);
  });

  it.each<[string, Record<string, string>, string?]>([
    ['a frame', { ...inTab, 'sec-fetch-dest': 'iframe' }],
    ['an embedded object', { ...inTab, 'sec-fetch-dest': 'object' }],
    ['the viewer itself', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', accept: '*/*' }],
    ['a program', {}],
    ['a HEAD', inTab, 'HEAD'],
    ['a Range', { ...inTab, range: 'bytes=0-3' }],
  ])('is not shown to %s, which gets the document', async (_, headers, method) => {
    const answer = await open(url, headers, method);
    expect([200, 206]).toContain(answer.status);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('shows the page with the status of an invalid link, and nothing of the document', async () => {
    const leaver = await makeUser(app, 'staff');
    const gone = await makeDocument(admin.client, customerId, {}, bytes);
    const ofGone = await issueLink(admin.client, gone.id, 'view');
    const ofLeaver = await issueLink(leaver.client, gone.id, 'view');
    await admin.client.delete(`/api/documents/${gone.id}`);
    await setUserDisabled(systemContext(app.deps), leaver.id, true);
    for (const [link, status] of [
      [ofGone, 403],
      [ofLeaver, 403],
      [url.replace('signature=', 'signature=A'), 403],
      [`${url}&extra=1`, 400],
    ] as const) {
      const answer = await open(link);
      expect([answer.status, answer.body]).toEqual([status, builtFiles['/index.html']]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      for (const part of ['details', 'text', 'hits']) {
        const of = await open(link.replace('/content?', `/content/${part}?`), {});
        expect(of.status, part).toBe(status);
      }
    }
  });

  it('opens the name, the text and the hits of this document, and of no other', {
    timeout: 90_000,
  }, async () => {
    const content = Buffer.from('A lantern in the text');
    const fields = { filename: 'lantern.txt', mime_type: 'text/plain' };
    const { id } = await makeDocument(admin.client, customerId, fields, content);
    const link = await issueLink(admin.client, id, 'view');
    const part = async (path: string, of = link) => {
      const { status, body } = await open(of.replace('/content?', `/content/${path}`), {});
      return { status, body: JSON.parse(body) };
    };
    await expect.poll(async () => (await part('text?')).body.state, { timeout: 60_000 }).toBe('ready');
    expect((await part('text?page=1&limit=200&')).body.pages).toMatchObject([{ text: content.toString() }]);
    expect((await part('hits?q=lantern&')).body.pages).toMatchObject([{ page: 1 }]);
    expect((await part('details?')).body.document).toEqual({
      id,
      filename: 'lantern.txt',
      mime_type: 'text/plain',
      protected: false,
      text: expect.objectContaining({ state: 'ready' }),
      preview: 'none',
    });
    const other = link.replace(`/${id}/`, `/${id - 1}/`);
    const toDownload = await issueLink(admin.client, id, 'download');
    for (const path of ['details?', 'text?', 'hits?q=lantern&']) {
      expect((await part(path, other)).status, path).toBe(403);
      expect((await part(path, toDownload)).status, path).toBe(400);
    }
  });

  it('saves the document under its name, as a download in the log', async () => {
    const { id } = await makeDocument(admin.client, customerId, { filename: 'saved.pdf' }, bytes);
    const link = await issueLink(admin.client, id, 'view');
    for (const headers of [inTab, {}]) {
      const answer = await open(`${link}&as=attachment`, headers);
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename=saved.pdf');
    }
    expect((await actionsOn(id)).slice(0, 2)).toEqual(['document.downloaded', 'document.downloaded']);
  });
});

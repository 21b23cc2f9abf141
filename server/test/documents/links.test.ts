import { createSecretKey } from 'node:crypto';
import { fetchBytes, issueLink, texts } from '@customer-database/testkit/documents';
import {
  aPdf,
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
} from '@customer-database/testkit/factories';
import { sendRaw } from '@customer-database/testkit/raw-http';
import { login } from '@customer-database/testkit/sign-in';
import { stopClock } from '@customer-database/testkit/stopped-clock';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemContext } from '../../src/core/context.ts';
import { setUserDisabled } from '../../src/modules/accounts/users/commands.ts';
import { resetPassword } from '../../src/modules/accounts/users/reset-credentials.ts';
import { isGenuineLink, signLink } from '../../src/modules/documents/serving/signature.ts';

const minutes = 60_000;
const seconds = 1000;
const bytes = aPdf('Behind a link');

let app: TestApp;
let admin: TestUser;
let staff: TestUser;
let customerId: number;
let documentId: number;

beforeAll(async () => {
  app = await startTestApp();
  stopClock(app);
  admin = await makeUser(app, 'admin');
  staff = await makeUser(app, 'staff');
  customerId = (await makeCustomer(admin.client)).id;
});

beforeEach(async () => {
  documentId = (await makeDocument(admin.client, customerId, {}, bytes)).id;
});

const ways: [string, RequestInit][] = [
  ['GET', {}],
  ['HEAD', { method: 'HEAD' }],
  ['a Range', { headers: { range: 'bytes=0-3' } }],
];

async function expectDead(url: string): Promise<void> {
  for (const [way, init] of ways) {
    const response = await fetch(url, init);
    expect(response.status, way).toBe(403);
    expect(response.headers.get('content-disposition'), way).toBeNull();
    const body = await response.text();
    if (way === 'HEAD') expect(body).toBe('');
    else expect(JSON.parse(body), way).toMatchObject({ error: texts.deadLink, code: 'LINK_INVALID' });
  }
}

async function expectAlive(url: string): Promise<void> {
  for (const [way, init] of ways) {
    const response = await fetch(url, init);
    expect(response.status, way).toBe(way === 'a Range' ? 206 : 200);
    const expected = { GET: bytes, HEAD: Buffer.alloc(0), 'a Range': bytes.subarray(0, 4) }[way];
    expect(Buffer.from(await response.arrayBuffer()), way).toEqual(expected);
  }
}

const changed = (url: string, change: (link: URL) => void) => {
  const link = new URL(url);
  change(link);
  expect(link.href).not.toBe(url);
  return link.href;
};

const withParameter = (url: string, name: string, value: string) =>
  changed(url, (link) => link.searchParams.set(name, value));

describe.each(['download', 'view'] as const)('A link to %s a document', (purpose) => {
  it('works for 14 minutes and 59 seconds, and has expired at the time that it states', async () => {
    const { body } = await staff.client.get(`/api/documents/${documentId}/${purpose}`);
    const url = body[`${purpose}_url`];
    app.clock.advance(14 * minutes + 59 * seconds);
    await expectAlive(url);
    app.clock.set(body.expires_at);
    await expectDead(url);
  });

  it('is refused while the clock is set back, so that it would be valid for more than 15 minutes', async () => {
    const made = app.clock.now();
    const url = await issueLink(staff.client, documentId, purpose);
    app.clock.set(new Date(made.getTime() - 20 * minutes));
    await expectDead(url);
    // The clocks of two servers differ slightly.
    app.clock.set(new Date(made.getTime() - 50 * seconds));
    await expectAlive(url);
  });

  it('is refused when any of its claims is changed', async () => {
    const url = await issueLink(staff.client, documentId, purpose);
    const expires = Number(new URL(url).searchParams.get('expires'));
    await expectDead(withParameter(url, 'expires', String(expires + 1)));
    await expectDead(withParameter(url, 'expires', String(expires - 1)));
    await expectDead(withParameter(url, 'user', String(admin.id)));
    await expectDead(withParameter(url, 'purpose', purpose === 'view' ? 'download' : 'view'));
  });
});

describe('A link', () => {
  const purpose = 'download';

  it("needs no Authorization header, and another user's does not help", async () => {
    const url = await issueLink(staff.client, documentId, purpose);
    expect((await fetchBytes(url)).equals(bytes)).toBe(true);
    const tampered = withParameter(url, 'user', String(admin.id));
    const response = await fetch(tampered, { headers: { authorization: `Bearer ${admin.token}` } });
    expect(response.status).toBe(403);
  });

  it('does not open another document', async () => {
    const other = await makeDocument(admin.client, customerId);
    const url = await issueLink(staff.client, documentId, purpose);
    await expectDead(changed(url, (link) => (link.pathname = `/api/documents/${other.id}/content`)));
    await expectAlive(url);
  });

  it('is refused when the document is deleted, also if another gets its name', async () => {
    const url = await issueLink(staff.client, documentId, purpose);
    await admin.client.delete(`/api/documents/${documentId}`);
    await makeDocument(admin.client, customerId, {}, bytes);
    await expectDead(url);
  });

  it("is refused when its user is disabled, while other users' links work", async () => {
    const leaver = await makeUser(app, 'staff');
    const url = await issueLink(leaver.client, documentId, purpose);
    const others = await issueLink(staff.client, documentId, purpose);
    await setUserDisabled(systemContext(app.deps), leaver.id, true);
    await expectDead(url);
    await expectAlive(others);
  });

  it('stays refused when its user is enabled again, and after a password reset', async () => {
    const returning = await makeUser(app, 'staff');
    const first = await issueLink(returning.client, documentId, purpose);
    await setUserDisabled(systemContext(app.deps), returning.id, true);
    await setUserDisabled(systemContext(app.deps), returning.id, false);
    await expectDead(first);
    const { token } = (await login(app, returning.email)).body;
    const second = await issueLink(app.client(token), documentId, purpose);
    await expectAlive(second);
    await expectDead(withParameter(second, 'generation', '2'));
    await expectDead(changed(second, (link) => link.searchParams.delete('generation')));
    await resetPassword(systemContext(app.deps), returning.id);
    await expectDead(second);
    await expectDead(first);
  });

  it('is refused in any other spelling', async () => {
    const url = await issueLink(staff.client, documentId, purpose);
    const { searchParams } = new URL(url);
    const misspelled = [
      withParameter(url, 'user', `0${staff.id}`),
      withParameter(url, 'expires', `0${searchParams.get('expires')}`),
      withParameter(url, 'expires', `${searchParams.get('expires')}.0`),
      withParameter(url, 'purpose', 'delete'),
      `${url}&purpose=${purpose}`,
      `${url}&extra=1`,
      changed(url, (link) => link.searchParams.delete('signature')),
      changed(url, (link) => (link.search = '')),
    ];
    for (const wrong of misspelled) {
      const response = await fetch(wrong);
      expect(response.status, wrong).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'VALIDATION_FAILED' });
    }
  });
});

describe('The signature of a link', () => {
  it('from another key is refused', async () => {
    const url = await issueLink(staff.client, documentId, 'view');
    const { searchParams } = new URL(url);
    const claims = {
      documentId,
      user: staff.id,
      purpose: 'view',
      expires: Number(searchParams.get('expires')),
    } as const;
    expect(signLink(app.deps.keys.links, claims)).toBe(searchParams.get('signature'));
    await expectDead(
      withParameter(url, 'signature', signLink(createSecretKey(app.deps.keys.secretbox), claims)),
    );
  });

  it('is part of a link to the configured URL, not to the host that the request names', async () => {
    const own = await startTestApp({ env: { PUBLIC_URL: 'https://database.company.example/' } });
    const { client, token } = await makeUser(own, 'admin');
    const { id } = await makeDocument(client, (await makeCustomer(client)).id);
    for (const purpose of ['download', 'view']) {
      const target = `/api/documents/${id}/${purpose}`;
      const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
      const headers = { ...forged, authorization: `Bearer ${token}` };
      const { body } = await sendRaw(own.url, { target, headers });
      const link = JSON.parse(body)[`${purpose}_url`];
      expect(link).toMatch(/^https:\/\/database\.company\.example\/api\/documents\/\d+\/content\?/);
    }
  });

  it('is not logged, nor is the token of the session', async () => {
    const url = await issueLink(staff.client, documentId, 'download');
    const signature = new URL(url).searchParams.get('signature') ?? '';
    await fetchBytes(url);
    await fetch(withParameter(url, 'user', '1'));
    await fetch(url, { headers: { range: 'bytes=99999999-' } });
    expect(app.logs()).toContain(`"path":"/api/documents/${documentId}/content"`);
    expect(app.logs()).not.toContain(signature);
    expect(app.logs()).not.toContain(staff.token);
  });

  it('is genuine only as it was made', () => {
    const key = app.deps.keys.links;
    const claims = { documentId, user: staff.id, purpose: 'view', expires: 1 } as const;
    const signature = signLink(key, claims);
    expect(signature).toMatch(/^[\w-]{43}$/);
    const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
    // Decoders ignore the last bits of the last character.
    const lastChanged = alphabet.map((last) => signature.slice(0, -1) + last);
    const anyChanged = [...signature].map(
      (old, at) => signature.slice(0, at) + (old === 'A' ? 'B' : 'A') + signature.slice(at + 1),
    );
    const otherLengths = ['', signature.slice(0, -1), `${signature}A`, `${signature}=`];
    const wrong = [...lastChanged, ...anyChanged, ...otherLengths, signature.toLowerCase()];
    expect(isGenuineLink(key, { ...claims, signature })).toBe(true);
    for (const each of wrong.filter((text) => text !== signature))
      expect(isGenuineLink(key, { ...claims, signature: each }), each).toBe(false);
  });
});

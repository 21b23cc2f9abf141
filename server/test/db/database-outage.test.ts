import { apiDocument, type Operation, operationsOf } from '@customer-database/testkit/api';
import { SoftwareAuthenticator } from '@customer-database/testkit/authenticator';
import {
  type BreakableDatabase,
  createBreakableDatabase,
} from '@customer-database/testkit/breakable-database';
import type { Answer } from '@customer-database/testkit/client';
import { storageKeyOf, storedKeys } from '@customer-database/testkit/documents';
import {
  aPdf,
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
  testPassword,
  uploadBody,
} from '@customer-database/testkit/factories';
import { expectProblem } from '@customer-database/testkit/problems';
import { login, wrongPassword } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { createDatabase, createPool } from '../../src/db/client.ts';
import { compiledOnce } from '../../src/db/compiled.ts';
import { isDatabaseUnavailable } from '../../src/db/unavailable.ts';
import { createSilentDatabase, type SilentDatabase } from './silent-database.ts';

async function expectUnavailable(work: Promise<Answer>, timeoutMs: number): Promise<void> {
  const started = performance.now();
  const answer = await work;
  expectProblem(answer, 503, 'DATABASE_UNAVAILABLE');
  expect(answer.body.error).toBe('The database is not available right now. Please try again later.');
  expect(answer.headers.get('retry-after')).toBe('5');
  expect(performance.now() - started).toBeLessThan(timeoutMs);
}

describe('a database that is down', () => {
  let database: BreakableDatabase;
  let app: TestApp;
  let admin: TestUser;
  let customerId: number;
  let documentId: number;
  let fileUrl: string;
  let viewUrl: string;
  let thumbnailUrl: string;
  let passkeySignIn: object;

  beforeAll(async () => {
    database = await createBreakableDatabase();
    app = await startTestApp({ databaseUrl: database.url, withJobs: true });
    admin = await makeUser(app, 'admin');
    customerId = (await makeCustomer(admin.client)).id;
    documentId = (await makeDocument(admin.client, customerId)).id;
    viewUrl = (await admin.client.get(`/api/documents/${documentId}/view`)).body.view_url;
    fileUrl = (await admin.client.get(`/api/documents/${documentId}/download`)).body.download_url;
    const { options, state } = (await app.client().post('/api/auth/passkeys/sign-in/start')).body;
    passkeySignIn = { state, response: new SoftwareAuthenticator(app.url).authenticate(options) };
    thumbnailUrl = await vi.waitFor(
      async () => {
        const { document } = (await admin.client.get(`/api/documents/${documentId}`)).body;
        expect(document.thumbnail_url).not.toBeNull();
        return document.thumbnail_url;
      },
      { timeout: 30_000, interval: 50 },
    );
  });

  /** A valid request, so that only the database can make it fail. */
  function validRequest({ method, path }: Operation): Promise<Answer> {
    const bodies: Record<string, unknown> = {
      'POST /api/auth/login': { email: admin.email, password: testPassword },
      'POST /api/auth/register': {
        name: 'A',
        email: 'a@example.com',
        password: 'a good password',
        setup_code: 'x',
      },
      'POST /api/auth/mfa/verify-login': { mfa_token: 'x', code: '123456' },
      'POST /api/auth/passkeys/sign-in/finish': passkeySignIn,
    };
    const body = bodies[`${method} ${path}`] ?? (method === 'POST' || method === 'PUT' ? {} : undefined);
    if (path.endsWith('/content')) return app.client().get(fileUrl);
    const [, part] = /\/content(\/.+)$/.exec(path) ?? [];
    if (part) return app.client().get(viewUrl.replace('/content?', `/content${part}?`));
    if (path.endsWith('/thumbnail')) return app.client().get(thumbnailUrl);
    return admin.client.send(path.replace('{id}', String(documentId)), {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
  }

  it('makes every call say so at once: none hangs, grants access or ends a session', async () => {
    await database.disconnect();
    for (const operation of operationsOf(apiDocument(app))) {
      // Health routes have their own response to this.
      if (operation.description.tags?.includes('Health')) continue;
      // A challenge is not stored.
      if (operation.path === '/api/auth/passkeys/sign-in/start') continue;
      // Needs a provider; tested with one in accounts/oidc.test.ts.
      if (operation.path === '/api/auth/oidc/finish') continue;
      await expectUnavailable(validRequest(operation), 3_000);
    }
    expect((await app.client().get('/s3/health')).body).toEqual({ status: 'OK' });
    await vi.waitFor(async () => {
      const health = await app.client().get('/health');
      expect([health.status, health.body]).toEqual([503, { status: 'ERROR' }]);
    }, 10_000);
    await expectUnavailable(login(app, admin.email, wrongPassword), 3_000);
    await database.reconnect();
  });

  it('is used again as soon as it is back, with the old sessions', async () => {
    await vi.waitFor(async () => expect((await app.client().get('/health')).body).toEqual({ status: 'OK' }), {
      timeout: 10_000,
    });
    expect((await admin.client.get('/api/auth/verify')).body.user.id).toBe(admin.id);
    expect((await login(app, admin.email)).status).toBe(200);
    await makeCustomer(admin.client);
  });

  it('leaves no partial upload when it goes down in the middle of one', async () => {
    const kept = await storedKeys(app);
    const { storage } = app.deps;
    const put = storage.put.bind(storage);
    // The worst moment: the object is stored, its row is not.
    storage.put = async (key, bytes) => {
      await put(key, bytes);
      expect(await storedKeys(app)).toContain(key);
      await database.disconnect();
    };
    const half = uploadBody(customerId, { filename: 'half.pdf' });
    await expectUnavailable(admin.client.post('/api/documents', half), 3_000);
    storage.put = put;
    await database.reconnect();
    expect(await storedKeys(app)).toEqual(kept);
    const found = await admin.client.post('/api/documents/search', { filename: 'half' });
    expect(found.body.count).toBe(0);
  });

  it('loses no upload whose commit it could not confirm', async () => {
    const bytes = aPdf('saved, but its response was lost');
    const put = app.deps.storage.put.bind(app.deps.storage);
    app.deps.storage.put = async (key, body) => {
      await put(key, body);
      database.dropResponseTo('commit');
    };
    await expectUnavailable(
      admin.client.post('/api/documents', uploadBody(customerId, { filename: 'saved.pdf' }, bytes)),
      3_000,
    );
    app.deps.storage.put = put;
    const found = await admin.client.post('/api/documents/search', { filename: 'saved.pdf' });
    expect(found.body.count).toBe(1);
    const link = await admin.client.get(`/api/documents/${found.body.documents[0].id}/download`);
    const file = await fetch(link.body.download_url);
    expect(file.status).toBe(200);
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('does not stop the queue for good: it resumes when the database is back', async () => {
    const key = await storageKeyOf(app, documentId);
    const seen = app.logs().length;
    await database.disconnect();
    await vi.waitFor(() => expect(app.logs().slice(seen)).toMatch(/ECONNREFUSED/), { timeout: 10_000 });
    await database.reconnect();
    expect((await admin.client.delete(`/api/documents/${documentId}`)).status).toBe(200);
    await vi.waitFor(async () => expect(await storedKeys(app)).not.toContain(key), {
      timeout: 20_000,
      interval: 200,
    });
  });
});

describe('a database that accepts connections but never answers', () => {
  let database: SilentDatabase;

  beforeAll(async () => {
    database = await createSilentDatabase();
  });

  it('times out within seconds where a new connection is needed', async () => {
    const app = await startTestApp({ databaseUrl: database.url });
    const admin = await makeUser(app, 'admin');
    await vi.waitFor(() => expect(app.pool.idleCount).toBe(0), { timeout: 15_000 });
    database.stopAnswering();
    await Promise.all([
      expectUnavailable(admin.client.get('/api/customers'), 8_000),
      expectUnavailable(login(app, admin.email), 8_000),
      vi.waitFor(async () => expect((await app.client().get('/health')).status).toBe(503), {
        timeout: 8_000,
      }),
    ]);
    database.resume();
    await vi.waitFor(async () => expect((await admin.client.get('/api/customers')).status).toBe(200), {
      timeout: 10_000,
    });
  }, 40_000);

  it('times out on an open connection, which is then never used again', async () => {
    const pool = createPool(database.url, 2, createLog('silent'));
    const db = createDatabase(pool, 500);
    const ask = compiledOnce((on, _none: object) => on.selectNoFrom(sql<number>`1`.as('one')));
    const started = performance.now();
    for (const way of [() => ask(db, {}), () => sql`select 1 as one`.execute(db).then(({ rows }) => rows)]) {
      expect(await way()).toEqual([{ one: 1 }]);
      expect(pool.totalCount).toBe(1);
      database.stopAnswering();
      const failure = await way().catch((error: unknown) => error);
      expect(isDatabaseUnavailable(failure)).toBe(true);
      expect(pool.totalCount).toBe(0);
      database.resume();
    }

    const insideTransaction = db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx);
      database.stopAnswering();
      await sql`select 2`.execute(tx);
    });
    await expect(insideTransaction).rejects.toThrow('Query read timeout');
    expect(pool.totalCount).toBe(0);
    expect(performance.now() - started).toBeLessThan(3_000);
    database.resume();
    expect(await ask(db, {})).toEqual([{ one: 1 }]);
    await pool.end();
  });
});

describe('a connection on which a query failed', () => {
  /** With one connection, so that the next query gets the same one. */
  async function open() {
    const app = await startTestApp();
    const pool = createPool(app.databaseUrl, 1, createLog('silent'));
    return { pool, db: createDatabase(pool) };
  }
  const failing = sql`begin; select 1 / 0; commit`;
  const ask = sql<{ one: number }>`select 1 as one`;

  it('is never handed on inside a transaction', async () => {
    const { pool, db } = await open();
    await expect(failing.execute(db)).rejects.toThrow('division by zero');
    expect((await ask.execute(db)).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('is used again after a rollback', async () => {
    const { pool, db } = await open();
    const backend = sql<{ pid: number }>`select pg_backend_pid() as pid`;
    const before = (await backend.execute(db)).rows;
    await expect(db.transaction().execute((tx) => sql`select 1 / 0`.execute(tx))).rejects.toThrow();
    await expect(sql`select 1 / 0`.execute(db)).rejects.toThrow('division by zero');
    expect((await backend.execute(db)).rows).toEqual(before);
    await pool.end();
  });
});

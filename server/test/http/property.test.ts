import { apiDocument, type Operation, operationsOf, responseOf } from '@customer-database/testkit/api';
import { SoftwareAuthenticator } from '@customer-database/testkit/authenticator';
import type { Answer } from '@customer-database/testkit/client';
import {
  makeAccount,
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
} from '@customer-database/testkit/factories';
import { fingerprintOf } from '@customer-database/testkit/fingerprint';
import { expectProblem } from '@customer-database/testkit/problems';
import { login } from '@customer-database/testkit/sign-in';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa } from '@customer-database/testkit/totp';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { normalizeEmail } from '../../src/modules/accounts/repo.ts';
import { existingId, type FuzzedRequest, requestsFor } from './arbitraries.ts';
import { calls } from './calls/all.ts';

// Fixed for repeatable runs; failures print the seed to use.
const seed = Number(process.env.PROPERTY_SEED ?? 20_261_115);

let app: TestApp;
let admin: TestUser;
let customerId: number;
let documentId: number;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  customerId = (await makeCustomer(admin.client)).id;
  documentId = (await makeDocument(admin.client, customerId)).id;
});

/** Calls that change or end their own session, or change a password: they get a new user per request. */
const needsOwnUser = /\/api\/auth\/(logout|change-password|confirm|profile|sessions|passkeys|mfa\/)/;
/** Calls that do not succeed by chance. */
const unguessable =
  /\/api\/auth\/(login|register|mfa\/(verify-login|setup\/verify|disable)|(passkeys|oidc)\/.*(verify|finish))|\/content(\/|$)|\/thumbnail$/;
const isReadOnly = ({ method, name }: Operation) => method === 'GET' || calls[name]?.changes === 'nothing';

/** Calls that change nothing, whatever they are sent, and need no record made for them. */
const isComparedOnce = (operation: Operation) =>
  isReadOnly(operation) && !needsOwnUser.test(operation.path) && !operation.path.startsWith('/api/users/');

type Sent = { caller: TestUser; id: number; fields: Record<string, unknown> };

const cleaned = (value: unknown) => (typeof value === 'string' ? value.trim() || null : value);
const row = async (table: string, id: unknown) =>
  (await app.pool.query(`select * from ${table} where id = $1`, [id])).rows[0];

async function expectCustomer({ fields }: Sent, answer: Answer): Promise<void> {
  const stored = await row('customers', answer.body.customer.id);
  const { id: _id, created_at: _created_at, updated_at: _updated_at, ...saved } = fields;
  for (const [name, value] of Object.entries(saved)) expect(stored[name], name).toEqual(cleaned(value));
}

async function expectUser({ fields }: Sent, answer: Answer): Promise<void> {
  const stored = await row('users', answer.body.user.id);
  expect(stored.email).toMatch(/^[^\s@,;<>"]+@[^\s@,;<>"]+$/);
  for (const [name, value] of Object.entries(fields)) {
    const expected = name === 'email' ? normalizeEmail(String(cleaned(value))) : cleaned(value);
    if (name !== 'name' || expected !== null) expect(stored[name], name).toEqual(expected);
  }
}

async function expectDocument({ fields }: Sent, answer: Answer): Promise<void> {
  const stored = await row('documents', answer.body.document.id);
  expect(stored).toMatchObject({
    customer_id: fields.customer_id,
    filename: answer.body.document.filename,
    description: cleaned(fields.description) ?? null,
  });
  const bytes = await (await app.deps.storage.get(stored.storage_key)).toArray();
  expect(Buffer.concat(bytes).toString('base64')).toBe(fields.file_data);
}

/** What must be true of the database after a success; read-only calls are not here. */
const kept: Record<string, (sent: Sent, answer: Answer) => Promise<void>> = {
  'POST /api/customers': expectCustomer,
  'PUT /api/customers/{id}': expectCustomer,
  'DELETE /api/customers/{id}': async ({ id }) => expect(await row('customers', id)).toBeUndefined(),
  'POST /api/documents': expectDocument,
  'PUT /api/documents/{id}': async ({ id }, { body }) => {
    const { filename, description, customer_id } = body.document;
    expect(await row('documents', id)).toMatchObject({ filename, description, customer_id });
  },
  'DELETE /api/documents/{id}': async ({ id }) => expect(await row('documents', id)).toBeUndefined(),
  'PUT /api/users/{id}': expectUser,
  'POST /api/users/{id}/withdraw-invitation': async ({ id }) =>
    expect(await row('users', id)).toBeUndefined(),
  'POST /api/users/{id}/disable': async ({ id }) =>
    expect((await row('users', id)).disabled_at).not.toBeNull(),
  'PUT /api/auth/profile': expectUser,
  'POST /api/auth/invite': expectUser,
  'POST /api/auth/logout': async ({ caller }) =>
    expect((await caller.client.get('/api/auth/verify')).status).toBe(401),
  'PUT /api/auth/change-password': async ({ caller, fields }) =>
    expect((await login(app, caller.email, String(fields.newPassword))).status).toBe(200),
  'POST /api/auth/mfa/setup/start': async ({ caller }) =>
    expect((await row('users', caller.id)).mfa_secret).toBeNull(),
};

async function makePasskey({ client }: TestUser): Promise<number> {
  const { options, state } = (await client.post('/api/auth/passkeys/setup/start')).body;
  const response = new SoftwareAuthenticator(app.url).register(options);
  const added = await client.post('/api/auth/passkeys/setup/verify', { state, name: 'Phone', response });
  return added.body.passkey.id;
}

async function makeInvited(): Promise<{ id: number }> {
  const account = await makeAccount(app, 'staff');
  await app.pool.query('update users set password_expires_at = $1 where id = $2', [
    new Date(app.clock.now().getTime() + 3_600_000),
    account.id,
  ]);
  return account;
}

/** The id of an existing record; of a new one where the call may delete it. */
async function targetOf({ method, path }: Operation, caller: TestUser): Promise<number> {
  if (path.startsWith('/api/auth/sessions/'))
    return (await caller.client.get('/api/auth/sessions')).body.sessions[0].id;
  if (path.startsWith('/api/users/')) return (await makeInvited()).id;
  if (path.startsWith('/api/auth/passkeys/')) return makePasskey(caller);
  const isDocument = path.startsWith('/api/documents/{id}');
  if (method !== 'DELETE') return isDocument ? documentId : customerId;
  const customer = await makeCustomer(admin.client);
  return isDocument ? (await makeDocument(admin.client, customer.id)).id : customer.id;
}

async function callerOf(operation: Operation): Promise<TestUser> {
  if (!needsOwnUser.test(operation.path)) return admin;
  await app.pool.query('delete from throttles');
  const user = await makeUser(app, 'admin');
  if (operation.path.endsWith('/setup/verify')) await user.client.post('/api/auth/mfa/setup/start');
  if (operation.path.endsWith('/disable')) await enableMfa(app, user);
  return user;
}

function fieldsOf(body: string | undefined): Record<string, unknown> {
  try {
    return JSON.parse(body ?? '{}') ?? {};
  } catch {
    return {};
  }
}

/** Sends the request and checks its response; resolves to whether it succeeded. */
async function holds(operation: Operation, request: FuzzedRequest): Promise<boolean> {
  const needsTarget = `${request.path}${request.body}`.includes(existingId);
  const caller = await callerOf(operation);
  const id = needsTarget ? await targetOf(operation, caller) : 0;
  const body = request.body?.replaceAll(existingId, String(id));
  const before = isComparedOnce(operation) ? undefined : await fingerprintOf(app);
  const answer = await caller.client.send(request.path.replace(existingId, String(id)), {
    method: operation.method,
    ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
  });
  expect(answer.status).toBeLessThan(500);
  if (answer.status >= 400) {
    expectProblem(answer, answer.status);
    expect(responseOf(operation, answer.status)?.description.split(', ')).toContain(answer.body.code);
  } else await kept[operation.name]?.({ caller, id, fields: fieldsOf(body) }, answer);
  const mustChangeNothing = answer.status >= 400 || isReadOnly(operation);
  if (before && mustChangeNothing) expect(await fingerprintOf(app)).toEqual(before);
  return answer.status < 300;
}

/** Read before the tests are declared, so that each call is its own test. */
const described = await startTestApp();
// Forms are not made here: documents/upload.test.ts sends bad ones.
const operations = operationsOf(apiDocument(described)).filter(
  ({ body, description }) => body || !description.requestBody,
);
await described.close();

it.each(operations)('$name responds properly to any input and stores only valid data', async (operation) => {
  const takesInput = operation.body !== undefined || operation.parameters.length > 0;
  const numRuns = !takesInput ? 3 : needsOwnUser.test(operation.path) ? 20 : 40;
  const before = isComparedOnce(operation) ? await fingerprintOf(app) : undefined;
  let successes = 0;
  const property = fc.asyncProperty(requestsFor(operation), async (request) => {
    successes += (await holds(operation, request)) ? 1 : 0;
  });
  await fc.assert(property, { seed, numRuns });
  if (before) expect(await fingerprintOf(app)).toEqual(before);
  if (!unguessable.test(operation.path)) expect(successes).toBeGreaterThan(0);
});

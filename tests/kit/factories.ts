import { randomBytes } from 'node:crypto';
import type { Customer } from '@customer-database/contract/customers';
import type { Document } from '@customer-database/contract/documents';
import type { Role } from '@customer-database/contract/permissions';
import { systemContext } from '../../server/src/core/context.ts';
import { hashPassword } from '../../server/src/crypto/passwords.ts';
import { insertUser } from '../../server/src/modules/accounts/repo.ts';
import { createSession } from '../../server/src/modules/accounts/sessions/commands.ts';
import type { Client } from './client.ts';
import type { TestApp } from './test-app.ts';

/** The default password of users made here. */
export const testPassword = 'correct horse battery staple';

let testPasswordHash: Promise<string> | undefined;

export const unique = (prefix: string) => `${prefix}-${randomBytes(5).toString('hex')}`;

export type TestUser = { id: number; email: string; name: string; role: Role; token: string; client: Client };

/** A user with a session, created without a sign-in because hashing a password is slow. */
export async function makeUser(
  app: TestApp,
  role: Role,
  overrides: { name?: string } = {},
): Promise<TestUser> {
  const account = await makeAccount(app, role, overrides);
  const token = await createSession({ ...systemContext(app.deps), address: '127.0.0.1' }, account.id);
  return { ...account, role, token, client: app.client(token) };
}

/** An account without a session. */
export async function makeAccount(
  app: TestApp,
  role: Role,
  overrides: { name?: string } = {},
): Promise<{ id: number; email: string; name: string }> {
  testPasswordHash ??= hashPassword(testPassword);
  const now = app.clock.now();
  const { id, email, name } = await insertUser(app.deps.db, {
    email: `${unique(role)}@example.com`,
    name: overrides.name ?? `A ${role} member`,
    role,
    password_hash: await testPasswordHash,
    created_at: now,
    updated_at: now,
  });
  return { id, email, name };
}

export const customerFields = (overrides: Record<string, unknown> = {}) => ({
  name: unique('Customer'),
  dob: '1980-02-29',
  email: `${unique('customer')}@example.com`,
  phone_number: '+49 (30) 555-0123',
  street_line: '12 Main Street',
  city: 'Berlin',
  province: 'Berlin',
  country: 'Germany',
  ...overrides,
});

export async function makeCustomer(
  admin: Client,
  overrides: Record<string, unknown> = {},
): Promise<Customer> {
  const answer = await admin.post('/api/customers', customerFields(overrides));
  if (answer.status !== 201) throw new Error(`no customer: ${JSON.stringify(answer.body)}`);
  return answer.body.customer;
}

/** A blank page. The text, a comment in the file, makes it unique. */
export const aPdf = (text = 'Hello'): Buffer =>
  Buffer.from(`%PDF-1.4
% ${text}
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >> endobj
trailer << /Root 1 0 R >>
%%EOF
`);

/** A PDF by its first and last bytes; large, unique and quick to make. */
export function randomPdf(bytes: number): Buffer {
  const file = randomBytes(bytes);
  file.write('%PDF-1.7\n');
  file.write('\n%%EOF\n', file.length - 7);
  return file;
}

export const uploadBody = (customerId: number, overrides: Record<string, unknown> = {}, bytes = aPdf()) => ({
  customer_id: customerId,
  filename: 'document.pdf',
  description: 'A test document',
  file_data: bytes.toString('base64'),
  mime_type: 'application/pdf',
  ...overrides,
});

export async function makeDocument(
  admin: Client,
  customerId: number,
  overrides: Record<string, unknown> = {},
  bytes = aPdf(),
): Promise<Document> {
  const answer = await admin.post('/api/documents', uploadBody(customerId, overrides, bytes));
  if (answer.status !== 201) throw new Error(`no document: ${JSON.stringify(answer.body)}`);
  return answer.body.document;
}

import { type Answer, createClient } from '@customer-database/testkit/client';
import { from, newAddress } from '@customer-database/testkit/sign-in';
import { hashPassword } from '../../../server/src/crypto/passwords.ts';
import { adminAccount } from '../harness/installation.ts';
import { withDatabase } from '../harness/postgres.ts';
import type { Server } from '../harness/server.ts';

const { password } = adminAccount;
let lastNumber = 0;

/** Inserts staff accounts with the administrator's password. */
export async function addStaff({ folder }: { folder: string }, count: number): Promise<string[]> {
  const emails = Array.from({ length: count }, () => {
    lastNumber += 1;
    return `staff${lastNumber}@example.com`;
  });
  const hash = await hashPassword(password);
  await withDatabase(folder, (client) =>
    client.query(
      `insert into users (email, name, role, password_hash, created_at, updated_at)
       select email, email, 'staff', $2, now(), now() from unnest($1::text[]) as email`,
      [emails, hash],
    ),
  );
  return emails;
}

export function trySignIn(
  { url }: Server,
  email: string,
  options: { password?: string; address?: string } = {},
): Promise<Answer> {
  const input = { email, password: options.password ?? password };
  return createClient(url).post('/api/auth/login', input, from(options.address ?? newAddress()));
}

export async function tokenAt(server: Server, email: string): Promise<string> {
  const { status, body } = await trySignIn(server, email);
  if (status !== 200 || !body.token)
    throw new Error(`Sign-in failed with ${status}: ${JSON.stringify(body)}`);
  return body.token;
}

export async function statusAt({ url }: Server, token: string): Promise<number> {
  return (await createClient(url, token).get('/api/auth/verify')).status;
}

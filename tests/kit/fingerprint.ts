import { storedKeys } from './documents.ts';
import type { TestApp } from './test-app.ts';

const rowsOf = (table: string, columns = '*') =>
  `(select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') || ' ' || count(*)
    from (select ${columns} from ${table}) as t)`;

// A job that was woken holds nothing; an earlier upload may do that late.
const jobs = "pgboss.job where policy is distinct from 'short'";

const fingerprintQuery = `select
  ${rowsOf('customers')} as customers,
  ${rowsOf('documents')} as documents,
  ${rowsOf('users', 'id, email, name, phone_number, role, password_hash, must_change_password, mfa_secret, disabled_at, updated_at')} as users,
  ${rowsOf('recovery_codes')} as recovery_codes,
  ${rowsOf('sessions', 'id, ended_at, expires_at')} as sessions,
  ${rowsOf(jobs, 'id, name')} as jobs`;

/** A fingerprint of all rows, queued jobs and objects: equal before and after means nothing changed. */
export async function fingerprintOf(app: TestApp): Promise<Record<string, unknown>> {
  const { rows } = await app.pool.query(fingerprintQuery);
  return { ...rows[0], objects: await storedKeys(app) };
}

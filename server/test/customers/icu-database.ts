import { randomBytes } from 'node:crypto';
import { prepareDatabase } from '@customer-database/testkit/prepare-database';
import { administer } from '@customer-database/testkit/test-app';
import { inject } from 'vitest';

/**
 * A migrated database with an ICU collation, as an external PostgreSQL may have: it sorts 'é' before 'f' and 'a-b'
 * next to 'ab', and lower-cases by word context. Dropped when the test run ends.
 */
export async function createIcuDatabase(): Promise<string> {
  const name = `icu_${randomBytes(6).toString('hex')}`;
  await administer(
    `create database ${name} template template0 encoding 'UTF8' locale_provider icu icu_locale 'de'`,
  );
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  await prepareDatabase(url.href);
  return url.href;
}

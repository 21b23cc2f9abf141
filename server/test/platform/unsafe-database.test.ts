import { query } from '@customer-database/testkit/embedded';
import { startPlainPostgres } from '@customer-database/testkit/plain-postgres';
import { makeDataFolder, startFailing } from '@customer-database/testkit/server-process';
import { expect, it } from 'vitest';

it.each(['fsync=off', 'synchronous_commit=off'])(
  'a PostgreSQL with %s is refused at the start',
  async (setting) => {
    const { url } = await startPlainPostgres(setting);
    const { code, output } = await startFailing({ DATA_DIR: await makeDataFolder(), DATABASE_URL: url });
    expect(code).toBe(1);
    expect(output).toContain('must run with fsync and synchronous_commit on: data could be lost');
    expect(output).not.toContain('    at ');
    const tables = await query(url, "select 1 from information_schema.tables where table_schema = 'public'");
    expect(tables).toEqual([]);
  },
);

import { readFile } from 'node:fs/promises';
import { createTestDatabase } from '@customer-database/testkit/test-app';
import pg from 'pg';
import { expect, it } from 'vitest';

type Column = { table: string; column: string; isNullable: boolean; hasDefault: boolean };

const textOf = ({ table, column, isNullable, hasDefault }: Column) =>
  `${table}.${column}${isNullable ? ' is nullable' : ''}${hasDefault ? ' has a default' : ''}`;

/** The columns as the types of the program have them. */
async function columnsOfTypes(): Promise<string[]> {
  const source = await readFile(new URL('../../src/db/schema.ts', import.meta.url), 'utf8');
  const types = new Map<string, [name: string, type: string][]>();
  for (const [, name = '', body = ''] of source
    .replaceAll(/\/\*\*.*?\*\//gs, '')
    .matchAll(/type (\w+) = \{(.*?)\};/gs)) {
    const fields = [...body.matchAll(/(\w+): ([^;]+)/g)];
    types.set(
      name,
      fields.map(([, field = '', type = '']) => [field, type]),
    );
  }
  const columns = (types.get('Schema') ?? []).flatMap(([table, type]) =>
    (types.get(type) ?? []).map(([column, columnType]) => ({
      table,
      column,
      isNullable: /\| null\b/.test(columnType),
      hasDefault: columnType.startsWith('Generated'),
    })),
  );
  return columns.map(textOf).sort();
}

async function columnsOfDatabase(): Promise<string[]> {
  const client = new pg.Client(await createTestDatabase());
  await client.connect();
  const { rows } = await client.query<Column>(`
    select relname as table, attname as column, not attnotnull as "isNullable",
      (atthasdef or attidentity <> '') as "hasDefault"
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations'`);
  await client.end();
  return rows.map(textOf).sort();
}

it('The types of the tables match the tables: names, null and defaults', async () => {
  expect(await columnsOfTypes()).toEqual(await columnsOfDatabase());
});

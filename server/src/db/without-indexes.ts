import type pg from 'pg';

/** How it was made, and how many samples of it PostgreSQL takes for its statistics. */
const indexesOf = `
  select indexrelid::regclass::text as name, concat_ws(';', pg_get_indexdef(indexrelid), (
    select string_agg(
      format('alter index %s alter column %s set statistics %s', indexrelid::regclass, attnum, attstattarget), ';')
    from pg_attribute where attrelid = indexrelid and attstattarget >= 0
  )) as definition
  from pg_index where indrelid = $1::regclass and not indisunique`;

/**
 * Filling an index row by row costs many times what building it once does. While that goes on nobody
 * else gets at the table, so it is done only where there are few rows yet. In the transaction that the
 * connection is in.
 */
export async function withoutIndexes<T>(
  client: pg.ClientBase,
  table: string,
  work: () => Promise<T>,
): Promise<T> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(indexesOf, [table]);
  // For the indexes, and for the new rows that the triggers count: what does not fit goes through files.
  await client.query(`set local maintenance_work_mem = '256MB'; set local work_mem = '64MB'`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  const result = await work();
  // One process besides this connection's own: more get into each other's way.
  await client.query('set local max_parallel_maintenance_workers = 1');
  for (const { definition } of indexes) await client.query(definition);
  return result;
}

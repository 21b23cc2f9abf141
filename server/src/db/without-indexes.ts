import type pg from 'pg';

/** The definition of each index, including its statistics targets. */
const indexesOf = `
  select indexrelid::regclass::text as name, concat_ws(';', pg_get_indexdef(indexrelid), (
    select string_agg(
      format('alter index %s alter column %s set statistics %s', indexrelid::regclass, attnum, attstattarget), ';')
    from pg_attribute where attrelid = indexrelid and attstattarget >= 0
  )) as definition
  from pg_index where indrelid = $1::regclass and not indisunique`;

/**
 * Building an index once is many times cheaper than filling it row by row. Locks the table meanwhile, so use it
 * only for tables with few rows. Runs in the current transaction of the connection.
 */
export async function withoutIndexes<T>(
  client: pg.ClientBase,
  table: string,
  work: () => Promise<T>,
): Promise<T> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(indexesOf, [table]);
  // For the indexes, and for the rows that triggers count: more would spill to disk.
  await client.query(`set local maintenance_work_mem = '256MB'; set local work_mem = '64MB'`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  const result = await work();
  // One extra worker; more slow each other down.
  await client.query('set local max_parallel_maintenance_workers = 1');
  for (const { definition } of indexes) await client.query(definition);
  return result;
}

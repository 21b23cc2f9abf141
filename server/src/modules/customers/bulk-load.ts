import { pipeline } from 'node:stream/promises';
import type { CreateCustomerInput } from '@customer-database/contract/customers';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

const copy = `copy customers
  (name, dob, email, phone_number, street_line, city, province, country, created_at, updated_at) from stdin`;

// So much may wait for PostgreSQL while the next lines are read; enough that neither waits for the other.
const waitingBytes = 1024 * 1024;

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const special = /[\\\t\n\r]/;

/** A value in the text format of COPY. */
function copyText(value: string | null | undefined): string {
  if (value === null || value === undefined) return '\\N';
  return special.test(value) ? value.replace(/[\\\t\n\r]/g, (found) => escapes[found] ?? found) : value;
}

/** A line is joined by hand: this runs for each customer, and arrays would take twice the time. */
function copyLine(customer: CreateCustomerInput, times: string): string {
  const start = `${copyText(customer.name)}\t${copyText(customer.dob)}\t${copyText(customer.email)}`;
  const reach = `${copyText(customer.phone_number)}\t${copyText(customer.street_line)}`;
  const place = `${copyText(customer.city)}\t${copyText(customer.province)}\t${copyText(customer.country)}`;
  return `${start}\t${reach}\t${place}\t${times}\n`;
}

async function* copyLines(batches: AsyncIterable<readonly CreateCustomerInput[]>, at: Date) {
  const times = `${at.toISOString()}\t${at.toISOString()}`;
  for await (const batch of batches) {
    let text = '';
    for (const customer of batch) text += copyLine(customer, times);
    if (text !== '') yield Buffer.from(text);
  }
}

/** How it was made, and how many samples of it PostgreSQL takes for its statistics. */
const indexesOfCustomers = `
  select indexrelid::regclass::text as name, concat_ws(';', pg_get_indexdef(indexrelid), (
    select string_agg(
      format('alter index %s alter column %s set statistics %s', indexrelid::regclass, attnum, attstattarget), ';')
    from pg_attribute where attrelid = indexrelid and attstattarget >= 0
  )) as definition
  from pg_index where indrelid = 'customers'::regclass and not indisunique`;

/**
 * Filling an index row by row costs many times what building it once does. While that goes on nobody
 * else gets at the customers, so it is done only where there are few yet.
 */
async function withoutIndexes<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(indexesOfCustomers);
  // For the indexes, and for the new rows that the triggers count: what does not fit goes through files.
  await client.query(`set local maintenance_work_mem = '256MB'; set local work_mem = '64MB'`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  const result = await work();
  // One process besides this connection's own: more get into each other's way.
  await client.query('set local max_parallel_maintenance_workers = 1');
  for (const { definition } of indexes) await client.query(definition);
  return result;
}

async function hasFewCustomers(client: pg.ClientBase, comparedWith: number): Promise<boolean> {
  const limit = Math.floor(comparedWith / 2);
  const { rows } = await client.query<{ count: string }>(
    'select count(*) as count from (select from customers limit $1) as some_customers',
    [limit],
  );
  return Number(rows[0]?.count) < limit;
}

/**
 * Adds customers in the transaction that the connection is in, however many, with as little in memory as
 * one batch. Answers with their number; about how many will come helps to choose the way.
 */
export async function loadCustomers(
  client: pg.ClientBase,
  batches: AsyncIterable<readonly CreateCustomerInput[]>,
  { at, expected }: { at: Date; expected: number },
): Promise<number> {
  const load = async () => {
    const destination = client.query(copyFrom(copy, { highWaterMark: waitingBytes }));
    await pipeline(copyLines(batches, at), destination);
    return destination.rowCount;
  };
  const isWorthwhile = expected >= 10_000 && (await hasFewCustomers(client, expected));
  return isWorthwhile ? withoutIndexes(client, load) : load();
}

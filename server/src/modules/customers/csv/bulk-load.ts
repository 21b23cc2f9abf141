import { pipeline } from 'node:stream/promises';
import { type CreateCustomerInput, customerFields } from '@customer-database/contract/customers';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { withoutIndexes } from '../../../db/without-indexes.ts';
import { wordsOfCustomer } from '../../../search/record-words.ts';

const copyStatement = `copy customers (${customerFields.join(', ')}, words, created_at, updated_at) from stdin`;

// Large enough that neither PostgreSQL nor the reading of the next lines waits for the other.
const copyBufferBytes = 1024 * 1024;

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const special = /[\\\t\n\r]/;

/** A value in COPY's text format. */
function copyText(value: string | null | undefined): string {
  if (value === null || value === undefined) return '\\N';
  return special.test(value) ? value.replace(/[\\\t\n\r]/g, (found) => escapes[found] ?? found) : value;
}

const copyLine = (customer: CreateCustomerInput, times: string) =>
  `${customerFields.map((field) => copyText(customer[field])).join('\t')}\t${wordsOfCustomer(customer)}\t${times}\n`;

async function* copyLines(batches: AsyncIterable<readonly CreateCustomerInput[]>, at: Date) {
  const times = `${at.toISOString()}\t${at.toISOString()}`;
  for await (const batch of batches) {
    let text = '';
    for (const customer of batch) text += copyLine(customer, times);
    if (text !== '') yield Buffer.from(text);
  }
}

async function hasFewCustomers(client: pg.ClientBase, expected: number): Promise<boolean> {
  const limit = Math.floor(expected / 2);
  const { rows } = await client.query<{ count: string }>(
    'select count(*) as count from (select from customers limit $1) as some_customers',
    [limit],
  );
  return Number(rows[0]?.count) < limit;
}

/**
 * Adds customers in the transaction of the connection, with one batch in memory, and returns their number. The estimate
 * `expected` decides whether to rebuild the indexes.
 */
export async function loadCustomers(
  client: pg.ClientBase,
  batches: AsyncIterable<readonly CreateCustomerInput[]>,
  { at, expected }: { at: Date; expected: number },
): Promise<number> {
  const load = async () => {
    const destination = client.query(copyFrom(copyStatement, { highWaterMark: copyBufferBytes }));
    await pipeline(copyLines(batches, at), destination);
    return destination.rowCount;
  };
  const rebuildsIndexes = expected >= 10_000 && (await hasFewCustomers(client, expected));
  return rebuildsIndexes ? withoutIndexes(client, 'customers', load) : load();
}

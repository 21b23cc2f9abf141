import { pipeline } from 'node:stream/promises';
import { type CreateCustomerInput, customerFields } from '@customer-database/contract/customers';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { withoutIndexes } from '../../db/without-indexes.ts';

const copy = `copy customers (${customerFields.join(', ')}, created_at, updated_at) from stdin`;

// So much may wait for PostgreSQL while the next lines are read; enough that neither waits for the other.
const waitingBytes = 1024 * 1024;

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const special = /[\\\t\n\r]/;

/** A value in the text format of COPY. */
function copyText(value: string | null | undefined): string {
  if (value === null || value === undefined) return '\\N';
  return special.test(value) ? value.replace(/[\\\t\n\r]/g, (found) => escapes[found] ?? found) : value;
}

const copyLine = (customer: CreateCustomerInput, times: string) =>
  `${customerFields.map((field) => copyText(customer[field])).join('\t')}\t${times}\n`;

async function* copyLines(batches: AsyncIterable<readonly CreateCustomerInput[]>, at: Date) {
  const times = `${at.toISOString()}\t${at.toISOString()}`;
  for await (const batch of batches) {
    let text = '';
    for (const customer of batch) text += copyLine(customer, times);
    if (text !== '') yield Buffer.from(text);
  }
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
  return isWorthwhile ? withoutIndexes(client, 'customers', load) : load();
}

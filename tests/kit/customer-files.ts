import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { systemContext } from '../../server/src/core/context.ts';
import {
  type ImportOptions,
  type ImportResult,
  importCustomers,
} from '../../server/src/modules/customers/csv/import.ts';
import { activitySince, lastActivityId } from './activity.ts';
import { afterFile } from './cleanup.ts';
import type { TestApp } from './test-app.ts';

let folder: string | undefined;

export function folderOfFiles(): string {
  if (folder) return folder;
  const made = mkdtempSync(join(tmpdir(), 'customer-files-'));
  afterFile(async () => {
    folder = undefined;
    await rm(made, { recursive: true, force: true });
  });
  folder = made;
  return made;
}

/** An unused path in this test file's folder. */
export const newPath = () => join(folderOfFiles(), `${randomBytes(5).toString('hex')}.csv`);

export async function makeFile(content: string | Buffer): Promise<string> {
  const path = newPath();
  await writeFile(path, content);
  return path;
}

export const commandLine = (app: TestApp) =>
  systemContext(app.deps, { id: null, label: 'command line (test)' });

export const never = new AbortController().signal;

export function importPath(
  app: TestApp,
  path: string,
  options: Partial<ImportOptions> = {},
): Promise<ImportResult> {
  return importCustomers(commandLine(app), {
    dryRun: false,
    skipBad: false,
    signal: never,
    ...options,
    path,
  });
}

export async function importText(
  app: TestApp,
  content: string | Buffer,
  options: Partial<ImportOptions> = {},
): Promise<ImportResult> {
  return importPath(app, await makeFile(content), options);
}

/** Such as 'line 3: Name is required'. */
export const refusals = ({ refused }: ImportResult) =>
  refused.first.map(({ line, reason }) => `line ${line}: ${reason}`);

export type StoredCustomer = Record<
  'name' | 'dob' | 'email' | 'phone_number' | 'street_line' | 'city' | 'province' | 'country',
  string | null
>;

/** Oldest first. */
export async function storedCustomers(app: TestApp): Promise<StoredCustomer[]> {
  const { rows } = await app.pool.query(
    'select name, dob, email, phone_number, street_line, city, province, country from customers order by id',
  );
  return rows;
}

export async function forgetCustomers(app: TestApp): Promise<void> {
  await app.pool.query('delete from customers');
}

export const namesOf = async (app: TestApp) => (await storedCustomers(app)).map(({ name }) => name);

/** Expects neither a customer nor an activity row afterwards. */
export async function expectNothing(app: TestApp, work: () => Promise<unknown>): Promise<void> {
  const before = await lastActivityId(app);
  await work();
  expect(await activitySince(app, before)).toEqual([]);
  expect(await namesOf(app)).toEqual([]);
}

export const columns = ['name', 'dob', 'email', 'phone_number', 'street_line', 'city', 'province', 'country'];
export const anna = [
  'Anna',
  '1980-02-29',
  'anna@example.com',
  '030 1',
  '1 Main Street',
  'Bonn',
  'NRW',
  'Germany',
];

export const csv = (...lines: string[][]) =>
  `${[columns, ...lines].map((cells) => cells.join(',')).join('\n')}\n`;

/** Anna with one field changed. */
export const changed = (field: string, value: string) =>
  anna.map((old, index) => (columns[index] === field ? value : old));

export const many = (count: number) =>
  Array.from({ length: count }, (_, index) => changed('name', `Anna ${index}`));

export const exportHeader =
  'id,name,dob,email,phone_number,street_line,city,province,country,created_at,updated_at\n';

export const exportedRows = (content: string) =>
  parse(content, { columns: true }) as Record<string, string>[];

/** Adds 'Number 1' and so on, with no other fields. */
export async function addMany(app: TestApp, count: number): Promise<void> {
  await app.pool.query(
    `insert into customers (name, created_at, updated_at)
     select 'Number ' || n, now(), now() from generate_series(1, $1::int) as n`,
    [count],
  );
}

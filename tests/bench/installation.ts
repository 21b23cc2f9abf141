import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { withOwnConnection } from '../../server/src/db/own-connection.ts';
import { buildApp } from '../../server/src/start/app.ts';
import { benchCases, type Case } from './cases.ts';
import { cachedInstallation } from './dataset/cached-installation.ts';
import { recordsOf, type Size } from './dataset/make.ts';
import { type Facts, gatherFacts } from './facts.ts';
import { signInColleagues } from './people.ts';
import { type Rivals, startRivals } from './processes.ts';
import { progress } from './progress.ts';
import { makeSamples } from './samples.ts';
import { recordCase, recordStatements, type Statement } from './statement-recorder.ts';

/** Data of one size, with the server and the baseline running on it. */
export type Installation = Rivals & {
  facts: Facts;
  /** Of a user who can sign in. */
  email: string;
  cases: Case[];
  /** The server's SQL statements for each case. */
  statements: Map<string, Statement[]>;
  pool: pg.Pool;
};

/** With the cases whose names contain `only`; everything ends with the stack. */
export async function openInstallation(
  size: Size,
  options: { folder: string; only: string | undefined },
  cleanup: AsyncDisposableStack,
): Promise<Installation> {
  progress(`with ${size.customers.toLocaleString('en')} customers`);
  const folder = await cachedInstallation(options.folder, recordsOf(size));
  const { server, baseline, deps } = await startRivals(folder, cleanup);
  const { pool } = deps;
  const takeStatements = recordStatements(pool);
  const app = cleanup.adopt(await buildApp(deps), (built) => built.close());
  cleanup.defer(() => removeTraces(pool, folder));
  progress('choosing what to ask for');
  const colleagues = await signInColleagues(deps, 50);
  // Or its plans would depend on whether autovacuum ran in the last seconds.
  await pool.query('alter table throttles set (autovacuum_enabled = off)');
  await withOwnConnection(pool, async ({ client }) => {
    await client.query(
      'vacuum (analyze) customers, documents, document_texts, document_files, record_counts, users, sessions',
    );
  });
  const facts = await gatherFacts(deps);
  const [first = { id: 0, email: '', token: '' }] = colleagues;
  const samples = await makeSamples(app, first, facts.customerIds);
  const cases = benchCases({ facts, colleagues, samples }).filter(({ name }) =>
    name.includes(options.only ?? ''),
  );
  progress('recording the statements of each case');
  const statements = new Map<string, Statement[]>();
  for (const benchCase of cases)
    statements.set(benchCase.name, await recordCase(app, takeStatements, benchCase));
  return { facts, email: first.email, server, baseline, cases, statements, pool };
}

/** The next run finds the data as it was made. */
export async function removeTraces(pool: pg.Pool, folder: string): Promise<void> {
  await pool.query(`delete from documents where storage_key not like 'bench/%'`);
  await pool.query('delete from sessions');
  await rm(join(folder, 'objects', 'documents'), { recursive: true, force: true });
}

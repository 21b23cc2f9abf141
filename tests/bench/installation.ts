import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findRunningEmbedded } from '@customer-database/embedded-postgres/start';
import type pg from 'pg';
import { readConfig } from '../../server/src/core/config.ts';
import { createLog } from '../../server/src/core/log.ts';
import { withOwnConnection } from '../../server/src/db/own-connection.ts';
import { buildApp } from '../../server/src/start/app.ts';
import { openDeps } from '../../server/src/start/open-deps.ts';
import { benchCases, type Case } from './cases.ts';
import { cachedInstallation } from './dataset/cached-installation.ts';
import { recordsOf, type Size } from './dataset/make.ts';
import { type Facts, gatherFacts } from './facts.ts';
import { signInColleagues } from './people.ts';
import { type RunningFloor, type RunningServer, startFloor, startServer } from './processes.ts';
import { makeSamples } from './samples.ts';
import { recordCase, recordStatements, type Statement } from './statement-recorder.ts';

/** Data of one size, with the server and the floor running on it. */
export type Installation = {
  facts: Facts;
  /** Somebody who can sign in. */
  email: string;
  server: RunningServer;
  floor: RunningFloor;
  cases: Case[];
  /** The server's SQL statements for each case. */
  statements: Map<string, Statement[]>;
  pool: pg.Pool;
  close(): Promise<void>;
};

export type InstallationOptions = {
  folder: string;
  only: string | undefined;
  progress: (text: string) => void;
  environment: NodeJS.ProcessEnv;
};

const poolSize = 10;

export async function openInstallation(size: Size, options: InstallationOptions): Promise<Installation> {
  const { progress, environment } = options;
  const folder = await cachedInstallation(options.folder, recordsOf(size), progress);
  progress('starting the server');
  const server = await startServer(folder, environment);
  const config = readConfig({ ...environment, DATA_DIR: folder });
  const { deps, close } = await openDeps(config, createLog('error'), { asTool: true });
  const { pool } = deps;
  try {
    const recorder = recordStatements(pool);
    const app = await buildApp(deps);
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

    const statements = new Map<string, Statement[]>();
    for (const benchCase of cases) {
      progress(`listening to ${benchCase.name}`);
      statements.set(benchCase.name, await recordCase(app, recorder, benchCase));
    }
    const databaseUrl = (await findRunningEmbedded(folder)) ?? '';
    const floor = await startFloor({ databaseUrl, poolSize, documentsFolder: join(folder, 'objects') });

    let closed: Promise<void> | undefined;
    const closeAll = async () => {
      floor.stop();
      await pool.query(`delete from documents where storage_key not like 'bench/%'`);
      await pool.query('delete from sessions');
      await app.close();
      await close();
      await server.stop();
      await rm(join(folder, 'objects', 'documents'), { recursive: true, force: true });
    };

    return {
      facts,
      email: first.email,
      server,
      floor,
      cases,
      statements,
      pool,
      close() {
        closed ??= closeAll();
        return closed;
      },
    };
  } catch (error) {
    await close();
    await server.stop();
    throw error;
  }
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backedUpTables } from '../../server/src/backup/layout.ts';
import { type MakeOptions, makeBackup } from '../../server/src/backup/make.ts';
import { openTarget } from '../../server/src/backup/target.ts';
import { verifyTarget } from '../../server/src/backup/verify.ts';
import { systemContext } from '../../server/src/core/context.ts';
import { createFolderStorage } from '../../server/src/storage/folder.ts';
import { type ProgramResult, runProgramHere, settingsOf } from './admin.ts';
import { afterFile } from './cleanup.ts';
import { aPdf, makeCustomer, makeDocument, makeUser, type TestUser } from './factories.ts';
import { createTestDatabase, startTestApp, type TestApp } from './test-app.ts';

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'backup-test-'));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export type Settings = Record<string, string | undefined>;

/** An unused installation: an empty database and data folder. */
export async function emptyInstallation(): Promise<{ DATABASE_URL: string; DATA_DIR: string }> {
  return { DATABASE_URL: await createTestDatabase(), DATA_DIR: await temporaryFolder() };
}

export const backUp = (app: TestApp, args: string[], env: Settings = {}): Promise<ProgramResult> =>
  runProgramHere('backup', args, { ...settingsOf(app), ...env });

export const restore = (args: string[], env: Settings): Promise<ProgramResult> =>
  runProgramHere('restore', args, env);

/** Makes a backup in this process, without the command line. */
export async function makeBackupOf(
  app: Pick<TestApp, 'deps'>,
  folder: string,
  options: Partial<MakeOptions> = {},
) {
  const target = await openTarget(app.deps.config, folder, 'writing');
  return makeBackup(systemContext(app.deps), {
    target,
    keep: undefined,
    expectEarlierBackups: false,
    ...quietly(),
    ...options,
  });
}

export const quietly = () => ({ signal: new AbortController().signal, show: () => undefined });

export const placeIn = (folder: string) => createFolderStorage(folder, { readOnly: true });

/** Verifies every backup in the folder. */
export const problemsOf = async (folder: string) =>
  (await verifyTarget(await placeIn(folder), quietly())).problems;

export type Filled = { app: TestApp; admin: TestUser; customerId: number; documents: Map<number, Buffer> };

/** An app with records of every kind, including all characters that COPY escapes. */
export async function filledApp(options: Parameters<typeof startTestApp>[0] = {}): Promise<Filled> {
  const app = await startTestApp(options);
  const admin = await makeUser(app, 'admin');
  await makeUser(app, 'staff', { name: 'Zoë "Z" O\'Neil' });
  const odd = { name: 'Back\\slash "Łódź" 合同 👩‍👧', street_line: '\\N', phone_number: null, city: '' };
  const { id: customerId } = await makeCustomer(admin.client, odd);
  await makeCustomer(admin.client);
  const documents = new Map<number, Buffer>();
  for (const text of ['first', 'second', 'second', 'fourth']) {
    const bytes = aPdf(text);
    const description = `Line one\n\tline two of ${text}`;
    const { id } = await makeDocument(admin.client, customerId, { description }, bytes);
    documents.set(id, bytes);
  }
  // The newest id is free again and must not be reused.
  const { id } = await makeDocument(admin.client, customerId);
  await admin.client.delete(`/api/documents/${id}`);
  return { app, admin, customerId, documents };
}

// A restore adds to the log, and seals it.
const restoredTables = backedUpTables.filter((table) => !table.startsWith('activity'));

/** What a restored installation must share with the one that was backed up. */
export async function contentsOf(app: Pick<TestApp, 'pool'>): Promise<Record<string, unknown>> {
  const parts = restoredTables.map(
    (table) =>
      `(select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '')
        from ${table} as t) as ${table}`,
  );
  const { rows } = await app.pool.query(`select ${parts.join(', ')}`);
  return rows[0];
}

import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type ProgramResult,
  runProgramHere,
  settingsOf,
  startProgram,
} from '@customer-database/testkit/admin';
import {
  backUp,
  contentsOf,
  emptyInstallation,
  type Filled,
  filledApp,
  makeBackupOf,
  restore,
  temporaryFolder,
} from '@customer-database/testkit/backups';
import { download, storageKeyOf } from '@customer-database/testkit/documents';
import { makeCustomer, makeDocument, testPassword, unique } from '@customer-database/testkit/factories';
import { createTestDatabase, startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, type Mfa, nextTotpCode } from '@customer-database/testkit/totp';
import { beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { createPool } from '../../src/db/client.ts';
import { baselineVersion, migrate, newestMigration } from '../../src/db/migrate.ts';
import { sealActivity } from '../../src/modules/activity/seals/seal.ts';
import { verifyActivity } from '../../src/modules/activity/seals/verify.ts';

const olderBackup = fileURLToPath(new URL('../fixtures/version-0.9/backup', import.meta.url));

let filled: Filled;
let mfa: Mfa;
let folder: string;

beforeAll(async () => {
  filled = await filledApp();
  mfa = await enableMfa(filled.app, filled.admin);
  await sealActivity(filled.app.deps);
  folder = await temporaryFolder();
  await makeBackupOf(filled.app, folder);
});

type Target = Awaited<ReturnType<typeof emptyInstallation>> & { SECRET_KEY?: string | undefined };

async function emptyTarget(): Promise<Target> {
  return { ...(await emptyInstallation()), SECRET_KEY: settingsOf(filled.app).SECRET_KEY };
}

const start = (target: Target, env: Record<string, string> = {}) =>
  startTestApp({ databaseUrl: target.DATABASE_URL, dataDir: target.DATA_DIR, env });

async function signIn(app: TestApp): Promise<{ token: string }> {
  const { email } = filled.admin;
  const { body } = await app.client().post('/api/auth/login', { email, password: testPassword });
  const answer = await app
    .client()
    .post('/api/auth/mfa/verify-login', { mfa_token: body.mfa_token, code: nextTotpCode(app, mfa.secret) });
  expect(answer.status).toBe(200);
  return answer.body;
}

describe('A restore into an empty installation', () => {
  let app: TestApp;
  let said: ProgramResult;

  beforeAll(async () => {
    const target = await emptyTarget();
    said = await restore([folder], target);
    app = await start(target);
    app.clock.advance(60_000);
  });

  it('restores everything', async () => {
    expect(said.stdout).toMatch(/^Restored backup \S+ in \S+ s: 2 customers, 4 documents/);
    expect(said.stdout).toContain('Every document was read again and is intact.');
    expect(said.code).toBe(0);
    expect(await contentsOf(app)).toEqual(await contentsOf(filled.app));
    const client = app.client((await signIn(app)).token);
    for (const [id, bytes] of filled.documents) expect((await download(client, id)).equals(bytes)).toBe(true);
    const { rows } = await app.pool.query(
      "select count(*)::int as count from activity where action in ('backup.restored', 'check.completed')",
    );
    expect(rows).toEqual([{ count: 2 }]);
  });

  it('restores the seals, so that the log can still be verified', async () => {
    await sealActivity(app.deps);
    const onProblem = (text: string) => expect.fail(text);
    const { signal } = new AbortController();
    expect(await verifyActivity(app.deps, { signal, onProblem })).toMatchObject({ unsealed: 0 });
  });

  it('ends all sessions', async () => {
    expect((await app.client(filled.admin.token).get('/api/auth/verify')).status).toBe(401);
  });

  it('continues with ids, counts and names as if nothing had happened', async () => {
    app.clock.advance(60_000);
    const client = app.client((await signIn(app)).token);
    const newest = Math.max(...filled.documents.keys());
    const made = await makeDocument(client, filled.customerId);
    // One was deleted before the backup: its id is not reused.
    expect(made.id).toBe(newest + 2);
    await makeCustomer(client);
    const { body } = await client.get('/api/dashboard');
    expect([body.customers.total, body.documents.total]).toEqual([3, 5]);
    await expect(app.pool.query('delete from activity')).rejects.toThrow('only grows');
  });
});

describe('A restore', () => {
  it('of a backup that lacks a document restores all others, and says so', async () => {
    const [id = 0] = filled.documents.keys();
    const path = join(filled.app.deps.config.dataDir, 'objects', await storageKeyOf(filled.app, id));
    const bytes = await readFile(path);
    await writeFile(path, Buffer.alloc(bytes.length));
    const place = await temporaryFolder();
    await makeBackupOf(filled.app, place);
    await writeFile(path, bytes);
    const target = await emptyTarget();
    const { code, stdout } = await restore([place], target);
    expect(stdout).toContain('The files of 1 document were damaged before the backup was made.');
    expect(stdout).toContain('Every other document was read again and is intact.');
    expect(code).toBe(0);
    const app = await start(target);
    const client = app.client((await signIn(app)).token);
    await expect(download(client, id)).rejects.toThrow();
    const [, ...others] = filled.documents;
    for (const [other, kept] of others) expect((await download(client, other)).equals(kept)).toBe(true);
    await app.close();
  });

  it('uses the named backup, or the newest', async () => {
    const place = await temporaryFolder();
    const { manifest: first } = await makeBackupOf(filled.app, place);
    await filled.app.pool.query(
      'insert into customers (name, created_at, updated_at) values ($1, now(), now())',
      [unique('Later')],
    );
    await makeBackupOf(filled.app, place);
    await filled.app.pool.query("delete from customers where name like 'Later%'");
    const older = await restore([place, first.id], await emptyTarget());
    expect(older.stdout).toContain('2 customers');
    const newest = await restore([place], await emptyTarget());
    expect(newest.stdout).toContain('3 customers');
    const unknown = await restore([place, '2020-01-01T00-00-00-000Z-00000000'], await emptyTarget());
    expect(unknown.stderr).toContain('There is no complete backup 2020-01-01T00-00-00-000Z-00000000 here');
    expect([older.code, newest.code, unknown.code]).toEqual([0, 0, 1]);
  });

  it('of an older version needs a database that can still be migrated', async () => {
    const { code, stderr } = await restore([olderBackup], await emptyTarget());
    expect(stderr).toContain(
      `(its schema is ${await newestMigration()}, that of the backup ${baselineVersion})`,
    );
    expect(code).toBe(1);
  });

  it('that was killed can be run again to the end', async () => {
    const place = await temporaryFolder();
    const { app, admin, customerId } = await filledApp();
    for (let index = 0; index < 40; index += 1) {
      await makeDocument(
        admin.client,
        customerId,
        { filename: `${index}.pdf` },
        Buffer.from(`%PDF-1.4 ${index}`),
      );
    }
    await makeBackupOf(app, place);
    const target = await emptyTarget();
    for (const after of [300, 900, 1_500]) {
      const { child } = startProgram('restore', [place], target);
      const ended = once(child, 'exit');
      await delay(after);
      child.kill('SIGKILL');
      await ended;
    }
    const { code, stderr } = await restore([place], target);
    const isDone = code === 0 || stderr.includes('This installation is not empty');
    expect(isDone, stderr).toBe(true);
    const restored = await start(target);
    expect(await contentsOf(restored)).toEqual(await contentsOf(app));
    await restored.close();
  });
});

describe('A restore is refused', () => {
  it('by an installation with data, which stays as it is', async () => {
    const { app } = await filledApp();
    const before = await contentsOf(app);
    await app.close();
    const target = { ...(await emptyTarget()), DATABASE_URL: app.databaseUrl };
    const { code, stderr } = await restore([folder], target);
    expect(stderr).toContain('This installation is not empty.');
    expect(code).toBe(1);
    const again = await start(target);
    expect(await contentsOf(again)).toEqual(before);
    await again.close();
  });

  it('by one of an older version, which is not migrated', async () => {
    const newest = await newestMigration();
    const DATABASE_URL = await createTestDatabase({ empty: true });
    const old = createPool(DATABASE_URL, 2, createLog('silent'));
    await migrate(old, newest - 1);
    await old.query("insert into customers (name, created_at, updated_at) values ('Old', now(), now())");
    const { code, stderr } = await restore([folder], { ...(await emptyTarget()), DATABASE_URL });
    expect(stderr).toContain('This installation is not empty.');
    expect(code).toBe(1);
    const { rows } = await old.query('select max(version) as version from schema_migrations');
    expect(rows).toEqual([{ version: newest - 1 }]);
    await old.end();
  });

  it('by a storage that has documents', async () => {
    const target = await emptyTarget();
    const month = join(target.DATA_DIR, 'objects', 'documents', '2026', '01');
    await mkdir(month, { recursive: true });
    await writeFile(join(month, 'existing'), 'document');
    const { code, stderr } = await restore([folder], target);
    expect(stderr).toContain('The document storage is not empty (documents/2026/01/existing).');
    expect(code).toBe(1);
    expect(await readFile(join(month, 'existing'), 'utf8')).toBe('document');
  });

  it('while a server runs there', async () => {
    const target = await emptyTarget();
    const server = await startTestApp({
      databaseUrl: target.DATABASE_URL,
      dataDir: target.DATA_DIR,
      withJobs: true,
    });
    const { code, stderr } = await restore([folder], target);
    expect(stderr).toContain('A server is running on this database. Stop it, then restore.');
    expect(code).toBe(1);
    await server.close();
  });

  it('without the key of the MFA seeds, except with --without-mfa', async () => {
    const target = { ...(await emptyTarget()), SECRET_KEY: 'another-key-0123456789abcdef-0123456789abcdef' };
    const refused = await restore([folder], target);
    expect(refused.stderr).toContain('SECRET_KEY differs from the key of the backup');
    const unset = await restore([folder], { ...target, SECRET_KEY: undefined });
    expect(unset.stderr).toContain('SECRET_KEY differs from the key of the backup');
    const { code } = await restore([folder, '--without-mfa'], target);
    expect([refused.code, unset.code, code]).toEqual([1, 1, 0]);
    const app = await start(target, { SECRET_KEY: target.SECRET_KEY });
    const { email } = filled.admin;
    const { body } = await app.client().post('/api/auth/login', { email, password: testPassword });
    expect(body.user.mfa_enabled).toBe(false);
    await app.close();
  });

  it.each([
    [[], 'Name the backup target, or set BACKUP_TO'],
    [['/nowhere/at/all'], 'There is no folder /nowhere/at/all'],
    [['/tmp', 'nonsense'], 'nonsense is not a backup such as npm run backup -- list shows'],
    [['--force'], "Unknown option '--force'"],
  ])('with wrong arguments (%s)', async (args, text) => {
    const { code, stderr } = await restore(args, await emptyTarget());
    expect(stderr).toContain(text);
    expect(code).toBe(1);
  });

  it('from a folder without a backup', async () => {
    const { code, stderr } = await restore([await temporaryFolder()], await emptyTarget());
    expect(stderr).toContain('There is no backup here');
    expect(code).toBe(1);
  });
});

describe('The key that is kept in the data folder', () => {
  it('is backed up and restored', async () => {
    const dataDir = await temporaryFolder();
    const databaseUrl = await createTestDatabase();
    const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
    const place = await temporaryFolder();
    const { stdout } = await runProgramHere('backup', [place], env);
    expect(stdout).toContain('It includes the secret key');
    const target = await emptyInstallation();
    // A server started there before has generated its own.
    await writeFile(join(target.DATA_DIR, 'secret.key'), 'f'.repeat(64));
    const other = { ...target, SECRET_KEY: 'another-key-0123456789abcdef-0123456789abcdef' };
    expect((await restore([place], other)).stderr).toContain('which is in the backup: leave SECRET_KEY out');
    expect((await restore([place], target)).code).toBe(0);
    const keyIn = (folder: string) => readFile(join(folder, 'secret.key'), 'utf8');
    expect(await keyIn(target.DATA_DIR)).toBe(await keyIn(dataDir));
    const verified = await runProgramHere('admin', ['verify-activity'], target);
    expect(verified.stderr).toBe('');
    expect(verified.stdout).toContain('Every row is as the server wrote it, and none is missing.');
  });
});

describe('The command line of backups', () => {
  it('lists what is there', async () => {
    const { code, stdout } = await backUp(filled.app, ['list', folder]);
    expect(stdout).toMatch(/^\S+Z-[0-9a-f]{8} {2}2 customers, 4 documents/);
    expect(code).toBe(0);
    const nothing = await backUp(filled.app, ['list', await temporaryFolder()]);
    expect(nothing.stdout).toContain('There is no backup in ');
  });
});

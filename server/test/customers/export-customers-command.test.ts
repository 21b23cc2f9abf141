import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { activitySince, breakActivityLog, lastActivityId } from '@customer-database/testkit/activity';
import { runAdmin, startAdmin } from '@customer-database/testkit/admin';
import { afterTest } from '@customer-database/testkit/cleanup';
import {
  addMany,
  exportedRows,
  exportHeader,
  folderOfFiles,
  forgetCustomers,
  makeFile,
  newPath,
} from '@customer-database/testkit/customer-files';
import { makeCustomer, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { untilWaiting } from '@customer-database/testkit/locks';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let app: TestApp;
let admin: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
});
beforeEach(() => forgetCustomers(app));

describe('npm run admin -- export-customers', { timeout: 90_000 }, () => {
  const leftovers = async () =>
    (await readdir(folderOfFiles())).filter((name) => name.includes('unfinished'));

  it('writes a private file, relative to where npm was called', async () => {
    const { name } = await makeCustomer(admin.client);
    const path = newPath();
    const before = await lastActivityId(app);
    const { code, stdout, stderr } = await runAdmin(app, ['export-customers', basename(path)], {
      INIT_CWD: dirname(path),
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^Exported 1 customer in \d+\.\d s \([\d,]+ per second\)\n$/);
    expect(exportedRows(await readFile(path, 'utf8')).map((row) => row.name)).toEqual([name]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await leftovers()).toEqual([]);
    expect(await activitySince(app, before)).toMatchObject([{ detail: { file: basename(path) } }]);
  });

  it('overwrites a file only with --force', async () => {
    const path = await makeFile('mine');
    const before = await lastActivityId(app);
    const refused = await runAdmin(app, ['export-customers', path]);
    expect(refused).toMatchObject({
      code: 1,
      output: `${path} exists already. Add --force to replace it.\n`,
    });
    expect(await readFile(path, 'utf8')).toBe('mine');
    expect(await activitySince(app, before)).toEqual([]);
    await chmod(path, 0o644);
    expect((await runAdmin(app, ['export-customers', path, '--force'])).code).toBe(0);
    expect(await readFile(path, 'utf8')).toBe(exportHeader);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('says what is wrong with a path', async () => {
    const nowhere = newPath();
    const folder = newPath();
    await mkdir(folder);
    const insideFile = join(await makeFile('x'), 'a.csv');
    const started = [join(nowhere, 'a.csv'), folder, insideFile].map((path) =>
      runAdmin(app, ['export-customers', path, '--force']),
    );
    expect(await Promise.all(started)).toMatchObject([
      { code: 1, output: `There is no folder ${nowhere}\n` },
      { code: 1, output: `${folder} is a folder\n` },
      { code: 1, output: `${insideFile} cannot be written (ENOTDIR)\n` },
    ]);
  });

  it('leaves no file when it fails or is interrupted', async () => {
    await addMany(app, 10);
    const path = newPath();
    const repair = await breakActivityLog(app);
    const broken = await runAdmin(app, ['export-customers', path]);
    await repair();
    expect(broken.code).toBe(1);
    const holder = await app.pool.connect();
    afterTest(async () => holder.release(true));
    await holder.query('begin; lock table activity in exclusive mode');
    const { child, result } = startAdmin(app, ['export-customers', path]);
    await untilWaiting(app.pool, 1, 60_000);
    child.kill('SIGINT');
    await holder.query('rollback');
    expect(await result).toMatchObject({ code: 130, stderr: 'Interrupted: the export is not complete.\n' });
    await expect(stat(path)).rejects.toThrow('ENOENT');
    expect(await leftovers()).toEqual([]);
  });

  it('writes to standard output, and nothing else there', async () => {
    const { id } = await makeCustomer(admin.client);
    const { code, stdout } = await runAdmin(app, ['export-customers', '-']);
    expect(code).toBe(0);
    expect(exportedRows(stdout).map((row) => Number(row.id))).toEqual([id]);
  });

  it('ends quietly when the reader closes the pipe', async () => {
    await addMany(app, 20_000);
    const { child, result } = startAdmin(app, ['export-customers', '-']);
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await result).toMatchObject({ code: 0, stderr: '' });
  });
});

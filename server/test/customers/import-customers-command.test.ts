import { basename, dirname } from 'node:path';
import { runAdmin, startAdmin } from '@customer-database/testkit/admin';
import { afterTest } from '@customer-database/testkit/cleanup';
import {
  anna,
  changed,
  csv,
  expectNothing,
  forgetCustomers,
  makeFile,
  many,
  namesOf,
  newPath,
} from '@customer-database/testkit/customer-files';
import { makeUser, type TestUser } from '@customer-database/testkit/factories';
import { untilWaiting } from '@customer-database/testkit/locks';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let app: TestApp;
let staff: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  staff = await makeUser(app, 'staff');
});
beforeEach(() => forgetCustomers(app));

describe('npm run admin -- import-customers', { timeout: 90_000 }, () => {
  it('imports a file, relative to where npm was called, and says how fast', async () => {
    const path = await makeFile(csv(...many(1_000)));
    const { code, stdout, stderr } = await runAdmin(app, ['import-customers', basename(path)], {
      INIT_CWD: dirname(path),
    });
    expect(stdout).toMatch(/^Imported 1,000 customers in \d+\.\d s \([\d,]+ per second\)\n$/);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await namesOf(app)).toHaveLength(1_000);
    const { body } = await staff.client.get('/api/dashboard');
    expect(body.recent_activity[0].actor_name).toMatch(/^command line \(.+\)$/);
  });

  it('prints the first refused lines and imports nothing', async () => {
    const report = newPath();
    const path = await makeFile(csv(...many(2), ...Array.from({ length: 23 }, () => changed('email', 'x'))));
    const { code, stdout, stderr } = await runAdmin(app, ['import-customers', path, '--report', report]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.split('\n')).toEqual([
      ...Array.from({ length: 20 }, (_, index) => `line ${index + 4}: Email: Invalid email address`),
      'and 3 more',
      `All refused lines are in ${report}`,
      'Nothing was imported: 23 of 25 lines refused. Correct the file, or import the valid lines only with --skip-bad.',
      '',
    ]);
    expect(await namesOf(app)).toEqual([]);
  });

  it('only checks with --dry-run, and skips refused lines with --skip-bad', async () => {
    const path = await makeFile(csv(anna, changed('email', 'x')));
    const { code, stdout, stderr } = await runAdmin(app, [
      'import-customers',
      path,
      '--dry-run',
      '--skip-bad',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'line 3: Email: Invalid email address\n' });
    expect(stdout).toMatch(/^Dry run, nothing written: 1 customer would be imported, 1 line skipped in /);
    expect(await namesOf(app)).toEqual([]);
  });

  it('says in one line what is wrong with a file', async () => {
    const missing = newPath();
    const { code, stderr } = await runAdmin(app, ['import-customers', missing]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `There is no file ${missing}\n` });
  });

  it('leaves nothing after Ctrl-C, even while PostgreSQL is busy, and says so', async () => {
    const path = await makeFile(csv(...many(10)));
    const holder = await app.pool.connect();
    afterTest(async () => holder.release(true));
    await expectNothing(app, async () => {
      await holder.query('begin; lock table customers in exclusive mode');
      const { child, result } = startAdmin(app, ['import-customers', path]);
      await untilWaiting(app.pool, 1, 60_000);
      child.kill('SIGINT');
      expect(await result).toMatchObject({ code: 130, stderr: 'Interrupted: nothing was imported.\n' });
      await holder.query('rollback');
      await untilWaiting(app.pool, 0);
      // The blocked statement continues now and finds its client gone.
      const others = `select count(*) from pg_stat_activity where query like 'copy%' and datname = current_database()`;
      await expect.poll(async () => (await app.pool.query(others)).rows[0].count).toBe(0);
    });
  });
});

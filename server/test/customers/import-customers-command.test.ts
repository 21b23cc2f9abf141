import { basename, dirname } from 'node:path';
import { runAdmin, startAdmin } from '@customer-database/testkit/admin';
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

  it('skips refused lines, or only checks, when asked to', async () => {
    const path = await makeFile(csv(anna, changed('email', 'x')));
    const dry = await runAdmin(app, ['import-customers', path, '--dry-run']);
    expect(dry.code).toBe(1);
    expect(dry.stderr).toContain('Nothing would be imported: 1 of 2 lines refused.');
    const drySkipping = await runAdmin(app, ['import-customers', path, '--dry-run', '--skip-bad']);
    expect(drySkipping.code).toBe(0);
    expect(drySkipping.stdout).toMatch(
      /^Dry run, nothing written: 1 customer would be imported, 1 line skipped in /,
    );
    expect(await namesOf(app)).toEqual([]);
    const skipping = await runAdmin(app, ['import-customers', path, '--skip-bad']);
    expect(skipping).toMatchObject({ code: 0, stderr: 'line 3: Email: Invalid email address\n' });
    expect(skipping.stdout).toMatch(/^Imported 1 customer, 1 line skipped in /);
    expect(await namesOf(app)).toEqual(['Anna']);
  });

  it('says in one line what is wrong with a file', async () => {
    const missing = newPath();
    for (const [path, text] of [
      [missing, `There is no file ${missing}\n`],
      [await makeFile(''), 'The file is empty\n'],
      [await makeFile('name;fax\n'), 'The first line must name the columns: "fax" is not known.'],
    ] as const) {
      const { code, stderr } = await runAdmin(app, ['import-customers', path]);
      expect(stderr).toContain(text);
      expect(stderr.split('\n')).toHaveLength(2);
      expect(code).toBe(1);
    }
  });

  it('leaves nothing after Ctrl-C, even while PostgreSQL is busy, and says so', async () => {
    const path = await makeFile(csv(...many(10)));
    const holder = await app.pool.connect();
    await expectNothing(app, async () => {
      await holder.query('begin; lock table customers in exclusive mode');
      const { child, result } = startAdmin(app, ['import-customers', path]);
      await untilWaiting(app.pool, 1);
      child.kill('SIGINT');
      expect(await result).toMatchObject({ code: 130, stderr: 'Interrupted: nothing was imported.\n' });
      await holder.query('rollback');
      await untilWaiting(app.pool, 0);
      // The blocked statement continues now and finds its client gone.
      const others = `select count(*) from pg_stat_activity where query like 'copy%' and datname = current_database()`;
      await expect.poll(async () => (await app.pool.query(others)).rows[0].count).toBe(0);
    });
    holder.release();
  });
});

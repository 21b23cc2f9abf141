import { readFile, stat } from 'node:fs/promises';
import {
  anna,
  changed,
  columns,
  csv,
  forgetCustomers,
  importText,
  makeFile,
  namesOf,
  newPath,
} from '@customer-database/testkit/customer-files';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { parse } from 'csv-parse/sync';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(() => forgetCustomers(app));

describe('The report of refused lines', () => {
  it('contains all of them with reason and content, and is private', async () => {
    const report = newPath();
    const bad = Array.from({ length: 3_000 }, (_, index) => changed('name', '').with(5, `"City, ${index}"`));
    const result = await importText(app, csv(anna, ...bad, changed('dob', '=1+1'), anna.slice(1)), {
      report,
    });
    expect(result.refused.count).toBe(3_002);
    expect(result.refused.first).toHaveLength(20);
    const rows = parse(await readFile(report), { relax_column_count: true });
    expect(rows).toHaveLength(3_003);
    expect(rows[0]).toEqual(['line', 'reason', ...columns]);
    expect(rows[1]).toEqual(['3', 'Name is required', ...changed('name', '').with(5, 'City, 0')]);
    expect(rows[3_001]?.slice(2)).toEqual(changed('dob', "'=1+1"));
    expect(rows[3_002]).toEqual(['3004', '7 columns instead of 8', ...anna.slice(1)]);
    expect((await stat(report)).mode & 0o777).toBe(0o600);
  });

  it('can be corrected and imported', async () => {
    const report = newPath();
    await importText(app, csv(anna, changed('email', '=x').with(0, '=SUM(A1)')), { report, skipBad: true });
    const corrected = (await readFile(report, 'utf8')).replace("'=x", 'sum@example.com');
    await importText(app, corrected);
    expect(await namesOf(app)).toEqual(['Anna', '=SUM(A1)']);
  });

  it('is not written when no line is refused', async () => {
    const report = newPath();
    await importText(app, csv(anna), { report });
    await expect(stat(report)).rejects.toThrow('ENOENT');
  });

  it('never overwrites a file, and is removed when the import fails', async () => {
    const report = await makeFile('mine');
    await expect(importText(app, csv(anna), { report })).rejects.toThrow(
      `${report} exists already. Give the report another name.`,
    );
    expect(await readFile(report, 'utf8')).toBe('mine');
    const unfinished = newPath();
    const broken = importText(app, `${csv(changed('name', ''))}"`, { report: unfinished });
    await expect(broken).rejects.toThrow('cannot be read');
    await expect(stat(unfinished)).rejects.toThrow('ENOENT');
    const nowhere = `${newPath()}/report.csv`;
    const unwritable = importText(app, csv(anna, changed('name', '')), { report: nowhere, skipBad: true });
    await expect(unwritable).rejects.toThrow(`${nowhere} cannot be written (ENOENT)`);
    expect(await namesOf(app)).toEqual([]);
  });
});

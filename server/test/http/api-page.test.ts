import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterTest } from '@customer-database/testkit/cleanup';
import { curl } from '@customer-database/testkit/curl';
import { makeUser, testPassword } from '@customer-database/testkit/factories';
import { startTestApp } from '@customer-database/testkit/test-app';
import { describe, expect, it } from 'vitest';
import { statusOf } from '../../src/http/errors.ts';

const page = await readFile(new URL('../../../docs/API.md', import.meta.url), 'utf8');

describe('docs/API.md', () => {
  it.skipIf(!curl.isInstalled())('has commands that work', async () => {
    const app = await startTestApp();
    const admin = await makeUser(app, 'admin');
    const folder = await mkdtemp(join(tmpdir(), 'api-page-'));
    afterTest(() => rm(folder, { recursive: true }));
    const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', blocks.join('\n')], {
      cwd: folder,
      env: {
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        API: app.url,
        EMAIL: admin.email,
        PASSWORD: testPassword,
      },
    });
    const answers = stdout.replaceAll('}{', '}\n{').split('\n');
    expect(answers.map((answer) => Object.keys(JSON.parse(answer)).join(' '))).toEqual([
      'user',
      'customers count count_is_capped',
      'message customer',
      'customers count total totalPages',
      'error code request_id',
    ]);
    expect(await readFile(join(folder, 'copy.txt'), 'utf8')).toBe('Good morning\n');
  });

  it('lists every error with its status', () => {
    const rows = [...page.matchAll(/^\| (\d{3}) \| (.*) \|$/gm)];
    const listed = rows.flatMap(([, status, codes = '']) =>
      [...codes.matchAll(/\w+/g)].map(([code]) => [code, Number(status)]),
    );
    expect(Object.fromEntries(listed)).toEqual(statusOf);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, glob, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createLogWriter } from '../../scripts/test-logs.js';

const bench = fileURLToPath(new URL('../run.ts', import.meta.url));

/** Checks that all cases work with the stored plans; nothing depends on the speed of the machine. */
it('runs every case on the server and on the floor, by the plans that are kept', {
  timeout: 300_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  await chmod(folder, 0o755);
  const child = spawn(process.execPath, [bench, '--small', '--folder', folder]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  for await (const name of glob('**/server.log', { cwd: folder })) {
    createLogWriter('.txt')(await readFile(join(folder, name)));
  }
  await rm(folder, { recursive: true, force: true });
  expect(code, output).toBe(0);
  const plans = await readdir(new URL('../plans/', import.meta.url));
  const rows = output.split('\n').filter((line) => /^\| (?!case)\w/.test(line));
  expect(rows).toHaveLength(plans.length);
  expect(output).toContain('4 × upload 10 MB at once');
  expect(output).toContain('4 × sign-in at once');
  expect(output).toContain('import of 12,000 customers');
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, glob, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createLogWriter } from '../../../scripts/test-logs.js';

const timeout = 300_000;

/** What a bench says when it runs with little data. Nothing depends on the speed of the machine. */
async function runSmall(program: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  await chmod(folder, 0o755);
  const path = fileURLToPath(new URL(`../${program}`, import.meta.url));
  const child = spawn(process.execPath, [path, '--small', '--folder', folder]);
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
  // Why it failed is said at the end.
  expect(code, output.trimEnd().split('\n').slice(-15).join('\n')).toBe(0);
  return output;
}

it('runs every case on the server and on the floor, by the plans that are kept', { timeout }, async () => {
  const output = await runSmall('run.ts');
  const plans = await readdir(new URL('../plans/', import.meta.url));
  const rows = output.split('\n').filter((line) => /^\| (?!case)\w/.test(line));
  expect(rows).toHaveLength(plans.length);
  expect(output).toContain('4 × upload 10 MB at once');
  expect(output).toContain('4 × sign-in at once');
  expect(output).toContain('import of 12,000 customers');
});

it('reads, exports, seals and verifies the activity log', { timeout }, async () => {
  const output = await runSmall('activity/run.ts');
  expect(output).toMatch(/^\| a filter that matches 10 /m);
  expect(output).toContain('Every row is as the server wrote it, and none is missing.');
  expect(output).toMatch(/^\| while its rows are sealed every second /m);
});

it('searches pages on the server and on the floor, and works while scans wait', { timeout }, async () => {
  const output = await runSmall('search/run.ts');
  expect(output).toMatch(/^\| a mistyped word /m);
  expect(output).toMatch(/^\| uploads of 1 MB, 2 at once /m);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.js';
import { scenarios } from '../scenarios.ts';

const program = fileURLToPath(new URL('../run.ts', import.meta.url));

/** Every fault a few times; `npm run test:faults` is the same a hundred times. */
describe('What is broken on purpose', () => {
  let output = '';
  let child: ChildProcess | undefined;

  beforeAll(async () => {
    // People also load pages while servers are restarted, and servers serve what was there when they started.
    expect(await buildIfStale()).toBe(0);
    const folder = await mkdtemp(join(tmpdir(), 'faults-short-'));
    await chmod(folder, 0o755);
    const started = spawn(process.execPath, [program, '--short', '--folder', folder]);
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    const [code] = await once(started, 'close');
    await rm(folder, { recursive: true, force: true });
    expect(code, output).toBe(0);
  }, 900_000);

  afterAll(() => child?.kill('SIGTERM'));

  it('loses nothing that was acknowledged', () => {
    expect(output).toContain('Nothing that was acknowledged was lost, and every bound was kept.');
  });

  it.for(scenarios.map(({ name }) => name))('keeps all promises: %s', (name, { skip }) => {
    skip(output.includes(`LEFT OUT: ${name}.`), `LEFT OUT: ${name}`);
    expect(output).toMatch(new RegExp(`^${name}: broken \\d+ times in \\d+ s, all kept$`, 'm'));
  });
});

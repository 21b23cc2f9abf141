import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIfStale } from '../../../scripts/build.js';
import { chooseScenarios } from '../scenarios.ts';

const program = fileURLToPath(new URL('../run.ts', import.meta.url));

const linesOf = (text: string) => text.split('\n').filter(Boolean);
const hookTimeout = 900_000;

/** Every fault a few times; `npm run test:faults` repeats them more often. */
describe('What is broken on purpose', () => {
  let output = '';
  let code: number | null = null;
  let child: ChildProcess | undefined;

  beforeAll(async () => {
    // The load also fetches pages, and servers serve those that existed at their start.
    expect(await buildIfStale()).toBe(0);
    const folder = await mkdtemp(join(tmpdir(), 'faults-short-'));
    await chmod(folder, 0o755);
    // Shorter than the hook's timeout, so that the tests still show how far it got.
    const timeout = hookTimeout - 30_000;
    const started = spawn(process.execPath, [program, '--short', '--folder', folder], { timeout });
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    [code] = await once(started, 'close');
    await rm(folder, { recursive: true, force: true });
  }, hookTimeout);

  afterAll(() => child?.kill('SIGTERM'));

  it.for(chooseScenarios({ only: undefined, isShort: true }).map(({ name }) => name))(
    'keeps all promises: %s',
    (name, { skip }) => {
      skip(output.includes(`LEFT OUT: ${name}.`), `LEFT OUT: ${name}`);
      const isFailure = new RegExp(`^[A-Z ]+, ${name}[,:]`);
      // One text: of a list, the summary of a run shows only how long it is.
      expect(
        linesOf(output)
          .filter((line) => isFailure.test(line))
          .join('\n'),
      ).toBe('');
      expect(output).toMatch(new RegExp(`^${name}: broken \\d+ times in \\d+ s, all kept$`, 'm'));
    },
  );

  it('loses nothing that was acknowledged', () => {
    expect(output).toContain('\nNothing that was acknowledged was lost, and every bound was kept.\n');
    expect(code).toBe(0);
  });
});

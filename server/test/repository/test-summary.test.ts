import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noTests } from '../../../scripts/test-report.js';
import { createSummary } from '../../../scripts/test-summary.js';

let printed: string[] = [];

beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
});
afterEach(() => vi.restoreAllMocks());

const passed = { ...noTests, passed: 1 };
const failed = (name: string, again?: typeof noTests) => ({
  name,
  why: `${name} is late\n    at line 3`,
  ...(again && { retry: async () => again }),
});

async function run(...failures: ReturnType<typeof failed>[]): Promise<number> {
  const summary = createSummary();
  await summary.run('tests', async () => ({ ...passed, failures, times: [{ name: 'slow', seconds: 90 }] }));
  await summary.retryFailed();
  return summary.print();
}

it('a test that passes on retry is named, and does not fail the run', async () => {
  expect(await run(failed('one', passed))).toBe(0);
  expect(printed.slice(-2)).toEqual(['Unsteady: one (one is late)', '2 passed, 0 failed, 1 unsteady']);
});

it('a test that fails again, is not retried or does not run in the retry fails the run', async () => {
  expect(await run(failed('one', { ...noTests, failures: [failed('one')] }))).toBe(1);
  expect(await run(failed('one'))).toBe(1);
  expect(await run(failed('one', noTests))).toBe(1);
  expect(printed.slice(-2)).toEqual(['Failed: one\n    one is late\n    at line 3', '1 passed, 1 failed']);
});

it('three failed tests fail the run without a retry', async () => {
  expect(await run(failed('one', passed), failed('two', passed))).toBe(0);
  expect(await run(failed('one', passed), failed('two', passed), failed('three', passed))).toBe(1);
});

it('the minutes of each phase and the slowest tests are shown', async () => {
  expect(await run()).toBe(0);
  expect(printed).toContain('   90.0 s  slow');
  expect(printed).toContain('  0.0  tests');
});

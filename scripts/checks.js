import { runInstalled } from './run.js';
import { noTests } from './test-report.js';

const checks = [
  { name: 'types', program: 'tsc', args: ['-p', '.'] },
  { name: 'types of the pages', program: 'tsc', args: ['-p', 'web'] },
  { name: 'types of the browser tests', program: 'tsc', args: ['-p', 'tests/journeys'] },
  { name: 'lint and format', program: 'biome', args: ['check', '.'] },
];

/**
 * Runs all checks, even after a failure.
 * @returns {Promise<import('./test-report.js').Outcome>}
 */
export async function runChecks() {
  const failures = [];
  for (const { name, program, args } of checks) {
    if ((await runInstalled(program, args)) !== 0) failures.push({ name: `the check of ${name}`, why: '' });
  }
  return { ...noTests, failures };
}

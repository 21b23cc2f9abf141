import { runInstalled } from './run.js';
import { nothing } from './test-report.js';

const CHECKS = [
  { name: 'types', program: 'tsc', args: ['-p', '.'] },
  { name: 'types of the pages', program: 'tsc', args: ['-p', 'web'] },
  { name: 'types of the browser tests', program: 'tsc', args: ['-p', 'e2e'] },
  { name: 'lint and format', program: 'biome', args: ['check', '.'] },
];

/**
 * Runs all checks, also when the first fails.
 * @returns {Promise<import('./test-report.js').Outcome>}
 */
export async function runChecks() {
  const failures = [];
  for (const { name, program, args } of CHECKS) {
    if ((await runInstalled(program, args)) !== 0) failures.push({ name: `the check of ${name}`, why: '' });
  }
  return { ...nothing, failures };
}

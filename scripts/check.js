// npm run check: types, lint and format. Runs everything, even after a failure.
import { ensureInstalled } from './install.js';
import { runInstalled } from './run.js';

await ensureInstalled({ forDevelopment: true });
let exitCode = 0;
for (const [program, ...args] of [
  ['tsc', '-p', '.'],
  ['tsc', '-p', 'web'],
  ['tsc', '-p', 'tests/journeys'],
  ['biome', 'check', '.'],
]) {
  if ((await runInstalled(String(program), args)) !== 0) exitCode = 1;
}
process.exit(exitCode);

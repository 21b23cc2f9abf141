import { runChecks } from './checks.js';
import { ensureInstalled } from './install.js';

await ensureInstalled({ forDevelopment: true });
const { failures } = await runChecks();
for (const line of failures) console.error(line);
process.exit(failures.length === 0 ? 0 : 1);

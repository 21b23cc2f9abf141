import { runChecks } from './checks.js';
import { ensureInstalled } from './install.js';

await ensureInstalled({ forDevelopment: true });
const failed = await runChecks();
process.exit(failed.length === 0 ? 0 : 1);

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, giveUp, root } from './install.js';
import { runServer, runTool } from './run.js';

// Node's own --env-file-if-exists reports on every start that there is no such file.
const envFile = join(root, '.env');
const environment = existsSync(envFile) ? [`--env-file=${envFile}`] : [];
const source = join(root, 'server', 'src');
const [what, ...args] = process.argv.slice(2);

/** @type {Record<string, () => Promise<number>>} */
const launchers = {
  start: () => runServer([...environment, join(source, 'main.ts'), ...args]),
  demo: () => runServer([...environment, join(source, 'cli', 'demo.ts'), ...args]),
  dev: () => runServer([...environment, '--watch', join(source, 'main.ts'), ...args]),
  admin: () => runTool([...environment, join(source, 'cli', 'admin.ts'), ...args]),
};

const launch = launchers[what ?? ''];
if (!launch) giveUp(`Use: node scripts/launch.js ${Object.keys(launchers).join('|')}`);
await ensureInstalled({ forDevelopment: false });
process.exit(await launch());

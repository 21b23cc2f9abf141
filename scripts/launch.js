import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.js';
import { ensureInstalled, giveUp, root } from './install.js';
import { runServers, runTool } from './run.js';
import { allocation, memory } from './server-memory.js';

const devPort = 5173;

// Node's --env-file-if-exists prints a notice on every start without the file.
const envFile = join(root, '.env');
const environment = existsSync(envFile) ? [`--env-file=${envFile}`] : [];
const serverSource = join(root, 'server', 'src');
const [what = '', ...args] = process.argv.slice(2);

/** @type {Record<string, () => Promise<number>>} */
const launchers = {
  start: async () => {
    await ensureBuilt();
    return runServers([
      {
        args: [...memory, ...environment, join(serverSource, 'start', 'main.ts'), ...args],
        env: { ...allocation, ...process.env },
      },
    ]);
  },
  demo: async () => {
    await ensureBuilt();
    return runServers([{ args: [...environment, join(serverSource, 'cli', 'demo.ts'), ...args] }]);
  },
  build: async () => {
    await ensureBuilt();
    console.error('The pages are up to date.');
    return 0;
  },
  dev: () =>
    runServers([
      {
        args: [...environment, '--watch', join(serverSource, 'start', 'main.ts'), ...args],
        // The server prints the URL of the pages and links to it.
        env: { ...process.env, HOST: '127.0.0.1', PUBLIC_URL: `http://localhost:${devPort}` },
      },
      { args: [...environment, join(root, 'scripts', 'dev-pages.js'), String(devPort)] },
    ]),
  admin: () => runTool([...environment, join(serverSource, 'cli', 'admin.ts'), ...args]),
  backup: () => runTool([...environment, join(serverSource, 'cli', 'backup.ts'), ...args]),
  restore: () => runTool([...environment, join(serverSource, 'cli', 'restore.ts'), ...args]),
};

/**
 * Their programs by name, below `tests`.
 * @type {Record<string, string>}
 */
const measurements = {
  bench: 'bench/run.ts',
  corpus: 'bench/corpus/run.ts',
  activity: 'bench/activity/run.ts',
  search: 'bench/search/run.ts',
  faults: 'faults/run.ts',
  pictures: 'journeys/pictures/run.ts',
};

const measurement = measurements[what];
const launch = launchers[what];
if (!launch && !measurement) {
  giveUp(`Use: node scripts/launch.js ${Object.keys({ ...launchers, ...measurements }).join('|')}`);
}
await ensureInstalled({ forDevelopment: measurement !== undefined });
if (launch) process.exit(await launch());
await ensureBuilt();
process.exit(await runTool([join(root, 'tests', measurement ?? ''), ...args]));

import { readConfig } from '../core/config.ts';
import type { Deps } from '../core/deps.ts';
import { readDemoAccounts, seedDemo } from '../demo/seed.ts';
import { runServer } from '../start/run-server.ts';

// A demo never touches real data: it has a folder beside DATA_DIR with its own database and storage, and sends no mail.
const demoSettings = {
  DATA_DIR: `${(process.env.DATA_DIR || './data').replace(/\/+$/, '')}-demo`,
  DATABASE_URL: undefined,
  S3_BUCKET: undefined,
  S3_ENDPOINT: undefined,
  S3_ACCESS_KEY_ID: undefined,
  S3_SECRET_ACCESS_KEY: undefined,
  LINK_MODE: undefined,
  SMTP_URL: undefined,
  ADMIN_EMAIL: undefined,
  ADMIN_PASSWORD: undefined,
};

let seeded: Deps | undefined;

await runServer(() => readConfig({ LOG_LEVEL: 'warn', ...process.env, ...demoSettings }), {
  async prepare(deps, signal) {
    await seedDemo(deps, console.log, signal);
    seeded = deps;
  },
  async announce() {
    const accounts = seeded ? await readDemoAccounts(seeded) : [];
    return accounts.map(({ role, email, password }) => `Sign in as ${role}: ${email}  password: ${password}`);
  },
});

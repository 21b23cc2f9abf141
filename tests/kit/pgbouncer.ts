import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterTest } from './cleanup.ts';
import type { Part } from './debian-package.ts';
import { eventually, query } from './embedded.ts';
import { freePort } from './ports.ts';

const program = '/usr/sbin/pgbouncer';

export const pgbouncer: Part = {
  name: 'PgBouncer',
  package: 'pgbouncer',
  isInstalled: () => existsSync(program),
};

/** Leads to the same database in another pool mode. Returns its URL. */
export async function startPgbouncer(databaseUrl: string, mode: 'session' | 'transaction'): Promise<string> {
  const to = new URL(databaseUrl);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'customer-database-pgbouncer-'));
  const config = join(folder, 'pgbouncer.ini');
  await writeFile(
    config,
    `[databases]
* = host=${to.hostname} port=${to.port} user=${to.username} password=${decodeURIComponent(to.password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout
`,
  );
  // It refuses to run as root.
  await chmod(folder, 0o755);
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const bouncer = spawn(program, [config], { ...account, stdio: 'ignore' });
  afterTest(async () => {
    bouncer.kill('SIGKILL');
    await once(bouncer, 'exit');
    await rm(folder, { recursive: true, force: true });
  });
  const url = new URL(databaseUrl);
  url.port = String(port);
  await eventually(() => query(url.href, 'select 1'));
  return url.href;
}

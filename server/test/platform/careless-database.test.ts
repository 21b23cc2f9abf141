import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { BARE_ENVIRONMENT } from '../../src/db/embedded/account.ts';
import { openCluster } from '../../src/db/embedded/cluster.ts';
import { openIdentity } from '../../src/db/embedded/identity.ts';
import { applicationUrl } from '../../src/db/embedded/session.ts';
import { postgresSettings } from '../../src/db/embedded/settings.ts';
import { afterTest } from '../support/cleanup.ts';
import { copyDataDir, eventually, query, quiet } from '../support/embedded.ts';
import { freePort } from '../support/ports.ts';
import { makeDataFolder, startFailing } from '../support/server-process.ts';

/** As somebody might run it who wants it quick: the last of two equal settings counts. */
async function startWith(setting: string): Promise<string> {
  const identity = await openIdentity(await copyDataDir(), quiet);
  const { binaries, account } = await openCluster(identity, quiet);
  const port = await freePort();
  const args = ['-D', identity.location, ...postgresSettings(port), '-c', setting];
  const postgres = spawn(binaries.postgres, args, { ...account, cwd: '/', env: BARE_ENVIRONMENT });
  afterTest(async () => {
    postgres.kill('SIGINT');
    await once(postgres, 'exit');
  });
  const url = applicationUrl(identity, port);
  await eventually(() => query(url, 'select 1'));
  return url;
}

it.each(['fsync=off', 'synchronous_commit=off'])(
  'a PostgreSQL with %s is refused at the start',
  async (setting) => {
    const url = await startWith(setting);
    const { code, output } = await startFailing({ DATA_DIR: await makeDataFolder(), DATABASE_URL: url });
    expect(code).toBe(1);
    expect(output).toContain('must run with fsync and synchronous_commit on: data could be lost');
    expect(output).not.toContain('    at ');
    const tables = await query(url, "select 1 from information_schema.tables where table_schema = 'public'");
    expect(tables).toEqual([]);
  },
);

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { bareEnvironment } from '@customer-database/embedded-postgres/account';
import { openCluster } from '@customer-database/embedded-postgres/cluster';
import { type Identity, openIdentity } from '@customer-database/embedded-postgres/identity';
import { applicationUrl } from '@customer-database/embedded-postgres/session';
import { postgresSettings } from '@customer-database/embedded-postgres/settings';
import { afterTest } from './cleanup.ts';
import { copyDataDir, eventually, query, quiet } from './embedded.ts';
import { freePort } from './ports.ts';

/** An unmanaged PostgreSQL with one more setting, which overrides ours. */
export async function startPlainPostgres(
  setting = 'fsync=on',
): Promise<{ identity: Identity; port: number; url: string }> {
  const identity = await openIdentity(await copyDataDir(), quiet);
  const { binaries, account } = await openCluster(identity, quiet);
  const port = await freePort();
  const args = ['-D', identity.location, ...postgresSettings(port), '-c', setting];
  const postgres = spawn(binaries.postgres, args, { ...account, cwd: '/', env: bareEnvironment });
  afterTest(async () => {
    postgres.kill('SIGINT');
    await once(postgres, 'exit');
  });
  const url = applicationUrl(identity, port);
  await eventually(() => query(url, 'select 1'));
  return { identity, port, url };
}

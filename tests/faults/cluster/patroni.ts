import { randomBytes } from 'node:crypto';
import { chmod, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@customer-database/testkit/until';
import { startHaProxy } from './haproxy.ts';
import { chooseAddresses, createMachine, type Machine, type MachineName } from './patroni-machine.ts';
import type { Replicated } from './replicated.ts';

const application = 'customer_database';
// Patroni's lease of 30 s has to run out first, and it looks only every 10 s.
const takeOverTimeoutMs = 120_000;

const newPassword = () => randomBytes(24).toString('hex');

/** As an operator would, to where PostgreSQL's user can read them. */
async function copyConfiguration(folder: string): Promise<string> {
  const to = join(folder, 'patroni');
  await cp(fileURLToPath(new URL('../../../deploy/patroni', import.meta.url)), to, { recursive: true });
  await chmod(to, 0o755);
  await chmod(join(to, 'patroni.yml'), 0o644);
  await chmod(join(to, 'create-database.sh'), 0o755);
  return to;
}

/** PostgreSQL on two machines under `deploy/patroni/patroni.yml`, and a third vote, behind HAProxy. */
export async function openPatroni(folder: string): Promise<Replicated> {
  const configuration = await copyConfiguration(folder);
  const addresses = {
    one: await chooseAddresses(),
    two: await chooseAddresses(),
    three: await chooseAddresses(),
  };
  const password = newPassword();
  const passwords = {
    PATRONI_RESTAPI_PASSWORD: newPassword(),
    PATRONI_SUPERUSER_PASSWORD: newPassword(),
    PATRONI_REPLICATION_PASSWORD: newPassword(),
    PATRONI_REWIND_PASSWORD: newPassword(),
    DATABASE_PASSWORD: password,
  };
  const create = (name: MachineName) =>
    createMachine({ name, folder: join(folder, `machine-${name}`), configuration, addresses, passwords });
  const [one, two, three] = [await create('one'), await create('two'), await create('three')];
  let [primary, standby]: [Machine, Machine] = [one, two];
  let isFrozen = false;
  const urlAt = (address: string) => `postgres://${application}:${password}@${address}/${application}`;

  for (const machine of [one, two, three]) await machine.startEtcd();
  await one.startPatroni();
  await until('Patroni has a primary', () => one.says('primary'), takeOverTimeoutMs);
  await two.startPatroni();
  await until('the standby is synchronous', () => two.says('sync'), takeOverTimeoutMs);
  const portOf = (address: string) => new URL(`http://${address}`).port;
  const proxy = await startHaProxy('haproxy-postgresql.cfg', folder, {
    POSTGRES_ONE: addresses.one.postgres,
    POSTGRES_TWO: addresses.two.postgres,
    PATRONI_ONE: portOf(addresses.one.patroni),
    PATRONI_TWO: portOf(addresses.two.patroni),
  });
  await proxy.untilUp('primary/one');

  return {
    url: urlAt(proxy.address),
    standbyUrl: () => urlAt(standby.addresses.postgres),
    async losePrimary(how) {
      isFrozen = how === 'frozen';
      await primary.signal(isFrozen ? 'SIGSTOP' : 'SIGKILL');
    },
    async promoteStandby() {
      await until('Patroni promotes the standby', () => standby.says('primary'), takeOverTimeoutMs);
      [primary, standby] = [standby, primary];
    },
    async rebuildStandby() {
      if (isFrozen) await standby.signal('SIGCONT');
      else {
        await standby.startEtcd();
        await standby.startPatroni();
      }
      await until('the former primary is a standby', () => standby.says('sync'), takeOverTimeoutMs);
    },
    async close() {
      await proxy.close();
      for (const machine of [standby, primary, three]) await machine.close();
    },
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findPostgres } from '@customer-database/testkit/debian-postgres';
import { cleanUpAtExit } from '@customer-database/testkit/exit-cleanup';
import { freePort } from '@customer-database/testkit/ports';
import { childrenOf } from '@customer-database/testkit/processes';
import { until } from '@customer-database/testkit/until';
import { killPostgresNow, postmasterOf, signalAll } from '../harness/postgres.ts';
import { postgresUser } from './postgres-node.ts';

export type MachineName = 'one' | 'two' | 'three';

/** What a machine of `deploy/patroni/patroni.yml` listens on, as host:port. */
export type Addresses = Record<'postgres' | 'patroni' | 'etcd' | 'etcdPeer', string>;

/** The processes of a machine: etcd and, unless it is only the third vote, Patroni and its PostgreSQL. */
export type Machine = {
  addresses: Addresses;
  startEtcd(): Promise<void>;
  startPatroni(): Promise<void>;
  /** Whether Patroni answers a path of its REST API with 200. */
  says(path: 'primary' | 'sync'): Promise<boolean>;
  /** Signals all its processes, each by its own pid. */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  close(): Promise<void>;
};

export async function chooseAddresses(): Promise<Addresses> {
  const address = async () => `127.0.0.1:${await freePort()}`;
  return {
    postgres: await address(),
    patroni: await address(),
    etcd: await address(),
    etcdPeer: await address(),
  };
}

export type MachineOptions = {
  name: MachineName;
  folder: string;
  /** Has the files of `deploy/patroni`. */
  configuration: string;
  addresses: Record<MachineName, Addresses>;
  passwords: Record<string, string>;
};

export async function createMachine(options: MachineOptions): Promise<Machine> {
  const { name, folder, configuration, addresses } = options;
  const own = addresses[name];
  const user = postgresUser();
  const data = join(folder, 'postgres');
  const running = new Map<string, ChildProcess>();
  await mkdir(folder);
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
  const each = (text: (member: string, of: Addresses) => string) =>
    Object.entries(addresses).map(([member, of]) => text(member, of));

  async function start(program: string, args: string[], env: Record<string, string>): Promise<void> {
    const log = createWriteStream(`${folder}-${program}.log`, { flags: 'a' });
    await once(log, 'open');
    // They end with the test run, even if that is killed.
    const child = spawn('setpriv', ['--pdeathsig', 'TERM', program, ...args], {
      ...user,
      cwd: configuration,
      env: { PATH: `${findPostgres()}:/usr/bin:/bin`, LANG: 'C.UTF-8', HOME: folder, ...env },
      stdio: ['ignore', log, log],
    });
    log.close();
    running.set(program, child);
  }

  function killNow(): void {
    for (const child of running.values()) child.kill('SIGKILL');
    const postmaster = postmasterOf(data);
    if (postmaster !== undefined) signalAll([postmaster], 'SIGCONT');
    // SIGQUIT ends all connections at once; SIGKILL would leave shared memory behind.
    killPostgresNow(data);
  }
  const cancelCleanup = cleanUpAtExit(killNow);

  const says = (path: string) =>
    fetch(`http://${own.patroni}/${path}`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const untilExited = (child: ChildProcess) =>
    child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;

  return {
    addresses: own,
    says,
    async startEtcd() {
      await start('etcd', [], {
        ETCD_NAME: name,
        ETCD_ENABLE_V2: 'true',
        ETCD_DATA_DIR: join(folder, 'etcd'),
        ETCD_LISTEN_CLIENT_URLS: `http://${own.etcd}`,
        ETCD_ADVERTISE_CLIENT_URLS: `http://${own.etcd}`,
        ETCD_LISTEN_PEER_URLS: `http://${own.etcdPeer}`,
        ETCD_INITIAL_ADVERTISE_PEER_URLS: `http://${own.etcdPeer}`,
        ETCD_INITIAL_CLUSTER: each((member, { etcdPeer }) => `${member}=http://${etcdPeer}`).join(','),
      });
    },
    async startPatroni() {
      await start('patroni', ['patroni.yml'], {
        PATRONI_NAME: name,
        PATRONI_ETCD_HOSTS: each((_, { etcd }) => etcd).join(','),
        PATRONI_RESTAPI_LISTEN: own.patroni,
        PATRONI_RESTAPI_CONNECT_ADDRESS: own.patroni,
        PATRONI_POSTGRESQL_LISTEN: own.postgres,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: own.postgres,
        PATRONI_POSTGRESQL_DATA_DIR: data,
        PATRONI_POSTGRESQL_BIN_DIR: findPostgres(),
        PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
        ...options.passwords,
      });
    },
    async signal(signal) {
      const postmaster = postmasterOf(data);
      const others = await childrenOf(postmaster ?? 0).catch(() => []);
      const backends = postmaster === undefined ? [] : [postmaster, ...others];
      // Patroni first, which would restart PostgreSQL.
      for (const child of running.values()) child.kill(signal);
      signalAll(backends, signal);
      if (signal !== 'SIGKILL') return;
      for (const child of running.values()) await untilExited(child);
      await until('PostgreSQL is gone', async () => postmasterOf(data) === undefined, 10_000);
    },
    async close() {
      killNow();
      for (const child of running.values()) await untilExited(child);
      await until('PostgreSQL is gone', async () => postmasterOf(data) === undefined, 30_000);
      cancelCleanup();
    },
  };
}

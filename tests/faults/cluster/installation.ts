import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbedded } from '@customer-database/embedded-postgres/start';
import { createClient } from '@customer-database/testkit/client';
import { cleanUpAtExit } from '@customer-database/testkit/exit-cleanup';
import { haproxy } from '@customer-database/testkit/haproxy';
import { createServer, type Server } from '@customer-database/testkit/killable-server';
import { swift } from '@customer-database/testkit/swift';
import { adminAccount, type Installation, makeDataFolder, signIn } from '../harness/installation.ts';
import { requireParts } from '../harness/parts.ts';
import { killPostgresNow } from '../harness/postgres.ts';
import { openStore } from '../harness/store.ts';
import { type HaProxy, startHaProxy } from './haproxy.ts';

export const serverNames = ['one', 'two'] as const;

/** Two servers on one database and one store, behind a proxy. */
export type Cluster = {
  servers: [Server, Server];
  proxy: HaProxy;
  /** The cluster seen from outside: its server is the proxy. */
  installation: Installation;
  close(): Promise<void>;
};

export type SharedDatabase = { url: string; close(): Promise<void> };

const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function openEmbedded(folder: string): Promise<SharedDatabase> {
  const database = await startEmbedded({ dataDir: folder, log: silentLog });
  const cancelCleanup = cleanUpAtExit(() => killPostgresNow(database.location));
  return {
    url: database.url,
    async close() {
      await database.stop();
      cancelCleanup();
      // Where PostgreSQL's user has no access to the folder, the database is elsewhere.
      await rm(database.location, { recursive: true, force: true });
    },
  };
}

const maxOf = async (each: Promise<number>[]) => Math.max(...(await Promise.all(each)));

/** All servers as one, under the proxy's address. */
function combine(servers: Server[], url: string): Server {
  return {
    url,
    start: () => maxOf(servers.map((server) => server.start())),
    async kill() {
      await Promise.all(servers.map((server) => server.kill()));
    },
    async terminate() {
      const ended = await Promise.all(servers.map((server) => server.terminate()));
      const [last] = ended.toSorted((one, other) => other.seconds - one.seconds);
      if (!last) throw new Error('There is no server');
      return last;
    },
    hasExited: () => servers.every((server) => server.hasExited()),
    pid: () => servers[0]?.pid() ?? 0,
    megabytes: (what) => maxOf(servers.map((server) => server.megabytes(what))),
  };
}

const addressOf = ({ url }: Server) => new URL(url).host;

/** Starts both servers at the same moment on an empty database. */
export async function openCluster(
  parent: string,
  name: string,
  openDatabase: (folder: string) => Promise<SharedDatabase> = openEmbedded,
): Promise<Cluster> {
  // Checked before anything runs that would have to be stopped.
  requireParts(haproxy, swift);
  const folder = await makeDataFolder(join(parent, name));
  const store = await openStore();
  const database = await openDatabase(folder);
  await writeFile(join(folder, 'database.url'), database.url, { mode: 0o600 });
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    ADMIN_EMAIL: adminAccount.email,
    ADMIN_PASSWORD: adminAccount.password,
    SHUTDOWN_DELAY_SECONDS: '3',
    TRUST_PROXY: '127.0.0.1',
    ...store.env,
  };
  const addServer = async (name: string) =>
    createServer({ folder: await makeDataFolder(join(folder, name)), env });
  const servers: Cluster['servers'] = [await addServer('one'), await addServer('two')];
  const proxy = await startHaProxy('haproxy.cfg', folder, {
    SERVER_ONE: addressOf(servers[0]),
    SERVER_TWO: addressOf(servers[1]),
  });
  const url = `http://${proxy.address}`;
  const server = combine(servers, url);
  await server.start();
  for (const name of serverNames) await proxy.untilUp(`ready/${name}`);

  async function close(): Promise<void> {
    if (!server.hasExited()) await server.terminate();
    await proxy.close();
    await database.close();
    await store.close();
  }
  const admin = createClient(url, await signIn(url));
  const { total } = (await admin.get('/api/users')).body;
  if (total !== 1) throw new Error(`Two servers that started at once created ${total} administrators`);
  const installation = { folder, server, admin, storage: store.storage, close };
  return { servers, proxy, installation, close };
}

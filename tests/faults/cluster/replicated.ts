import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Server as HttpServer } from 'node:http';
import { join } from 'node:path';
import { freePort } from '@customer-database/testkit/ports';
import { until } from '@customer-database/testkit/until';
import pg from 'pg';
import { startHaProxy } from './haproxy.ts';
import type { SharedDatabase } from './installation.ts';
import { createNode, type Node } from './postgres-node.ts';

export type Replicated = SharedDatabase & {
  standbyUrl(): string;
  /** `kill -9` of the primary, or a frozen machine that is fenced off later. */
  losePrimary(how: 'killed' | 'frozen'): Promise<void>;
  promoteStandby(): Promise<void>;
  /** Rebuilds the lost node from an empty folder as standby of the new primary. */
  rebuildStandby(): Promise<void>;
};

const superuser = 'postgres';
const application = 'customer_database';

/** A primary and a synchronous standby, behind a proxy that finds the primary. */
export async function openReplicated(folder: string): Promise<Replicated> {
  const password = randomBytes(24).toString('hex');
  const nodes = [
    createNode(join(folder, 'postgres-one'), await freePort()),
    createNode(join(folder, 'postgres-two'), await freePort()),
  ] as const;
  let [primary, standby]: [Node, Node] = [...nodes];
  const urlOf = (port: number, user: string, database: string) =>
    `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;

  async function ask(node: Node, text: string): Promise<Record<string, unknown>[]> {
    const url = urlOf(node.port, superuser, 'postgres');
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 2_000,
      query_timeout: 60_000,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }
  const isReachable = async (node: Node) => (await ask(node, 'select 1').catch(() => [])).length > 0;

  async function makePrimary(node: Node): Promise<void> {
    const file = `${node.folder}.password`;
    await node.makeFolder();
    await writeFile(file, password, { mode: 0o644 });
    const encoding = ['--encoding=UTF8', '--locale=C.UTF-8', '--auth=scram-sha-256'];
    await node.runProgram('initdb', ['-D', node.folder, '-U', superuser, `--pwfile=${file}`, ...encoding]);
    await rm(file);
    node.start();
    await until('the primary answers', () => isReachable(node), 60_000);
    await ask(node, `create role ${application} login password '${password}'`);
    await ask(node, `create database ${application} owner ${application}`);
  }

  /** Afterwards the primary acknowledges nothing that the standby has not written to disk. */
  async function makeStandby(node: Node, of: Node): Promise<void> {
    await node.makeFolder();
    const source = `host=127.0.0.1 port=${of.port} user=${superuser} application_name=standby`;
    const args = ['-D', node.folder, '-R', '-X', 'stream', '-c', 'fast', '-d', source];
    await node.runProgram('pg_basebackup', args, { PGPASSWORD: password });
    node.start();
    await ask(of, `alter system set synchronous_standby_names = 'standby'`);
    await ask(of, 'select pg_reload_conf()');
    const isSynchronous = async () =>
      (await ask(of, `select 1 from pg_stat_replication where sync_state = 'sync'`)).length > 0;
    await until('the standby follows', isSynchronous, 60_000);
  }

  await makePrimary(nodes[0]);
  await makeStandby(nodes[1], nodes[0]);
  const checks = await Promise.all(nodes.map((node) => startPatroniStub(() => ask(node, isPrimaryQuery))));
  const proxy = await startHaProxy('haproxy-postgresql.cfg', folder, {
    POSTGRES_ONE: `127.0.0.1:${nodes[0].port}`,
    POSTGRES_TWO: `127.0.0.1:${nodes[1].port}`,
    PATRONI_ONE: String(checks[0]?.port),
    PATRONI_TWO: String(checks[1]?.port),
  });
  await proxy.untilUp('primary/one');
  const proxyPort = Number(new URL(`http://${proxy.address}`).port);

  return {
    url: urlOf(proxyPort, application, application),
    standbyUrl: () => urlOf(standby.port, application, application),
    async losePrimary(how) {
      if (how === 'frozen') {
        await primary.signal('SIGSTOP');
        // Before a promotion the old primary must be fenced off.
        await proxy.untilDown(primary === nodes[0] ? 'primary/one' : 'primary/two');
      }
      await primary.signal('SIGKILL');
    },
    async promoteStandby() {
      await ask(standby, 'select pg_promote()');
      [primary, standby] = [standby, primary];
      await ask(primary, 'alter system reset synchronous_standby_names');
    },
    async rebuildStandby() {
      await makeStandby(standby, primary);
    },
    async close() {
      await proxy.close();
      for (const { server } of checks) server.close();
      // The standby last: a stopping primary waits until the standby has everything.
      await primary.stop();
      await standby.stop();
    },
  };
}

const isPrimaryQuery = 'select 1 where not pg_is_in_recovery()';

/** Answers like Patroni's `/primary`: 200 where the database is writable, otherwise 503. */
async function startPatroniStub(
  ask: () => Promise<unknown[]>,
): Promise<{ server: HttpServer; port: number }> {
  const port = await freePort();
  const server = createServer(async (_request, response) => {
    const rows = await ask().catch(() => []);
    response.writeHead(rows.length > 0 ? 200 : 503).end();
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return { server, port };
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@customer-database/testkit/client';
import { type Cluster, openCluster, serverNames } from '../cluster/installation.ts';
import { invitations, jobsOnTime, sameNames } from '../cluster/job-faults.ts';
import { codesUsedTwice, failedSignIns, signOutAtOne } from '../cluster/sign-in-faults.ts';
import { type FaultyMailer, openFaultyMailer } from '../harness/faulty-mailer.ts';
import {
  createFindings,
  type Fault,
  plural,
  type Scenario,
  type ScenarioContext,
} from '../harness/findings.ts';
import { signIn } from '../harness/installation.ts';
import { withDatabase } from '../harness/postgres.ts';

async function emptyDatabase({ installation }: Cluster): Promise<void> {
  await withDatabase(installation.folder, (client) =>
    client.query('drop schema pgboss cascade; drop schema public cascade; create schema public'),
  );
}

/** How often the servers ran migrations, by their logs. */
async function migrationsIn({ installation }: Cluster): Promise<number> {
  const logs = serverNames.map((name) => readFile(join(installation.folder, name, 'server.log'), 'utf8'));
  return (await Promise.all(logs)).join('').split('database brought up to date').length - 1;
}

/** Counts the start of the cluster as the first. */
async function startTogether(cluster: Cluster, times: number): Promise<Fault> {
  const findings = createFindings();
  const { servers, installation } = cluster;
  const recoveries: number[] = [];
  for (let time = 1; time <= times; time += 1) {
    if (time > 1) {
      await installation.server.kill();
      await emptyDatabase(cluster);
      recoveries.push(await installation.server.start());
    }
    const migrated = await migrationsIn(cluster);
    findings.expect(migrated === time, `${migrated} servers ran migrations at ${time} starts`);
    for (const { url } of servers) {
      const { status } = await createClient(url, await signIn(url)).get('/api/customers');
      findings.expect(status === 200, `customers were answered ${status} after a start together`);
    }
    const admins = await withDatabase(installation.folder, async (client) => {
      const { rows } = await client.query<{ count: number }>('select count(*)::int from users');
      return rows[0]?.count;
    });
    findings.expect(admins === 1, `there are ${admins} users after the first start`);
  }
  return {
    what: 'two servers: both started at the same moment on an empty database',
    times,
    checked: plural(times, 'start'),
    recoveries,
    seen: 'one ran the migrations, both served, and there was one administrator',
    findings,
  };
}

async function runFaults(cluster: Cluster, mailer: FaultyMailer, context: ScenarioContext): Promise<Fault[]> {
  const { times, progress } = context;
  const { installation, proxy } = cluster;
  const faults: Fault[] = [];
  const note = (...more: Fault[]) => {
    faults.push(...more);
    for (const { what, seen } of more) progress(`${what}: ${seen}`);
  };
  note(await startTogether(cluster, times(3, 2)));
  for (const name of serverNames) await proxy.untilUp(`ready/${name}`);
  // The sessions went with the old database.
  installation.admin = createClient(installation.server.url, await signIn(installation.server.url));
  note(await signOutAtOne(cluster, times(30, 6)));
  note(await failedSignIns(cluster, times(5, 1)));
  note(await codesUsedTwice(cluster, times(5, 1)));
  note(await invitations(cluster, mailer, times(20, 4)));
  note(...(await sameNames(cluster, times(10, 1))));
  note(await jobsOnTime(cluster));
  return faults;
}

/** Two servers on one database and one store: what one knows, the other knows too. */
export const severalServers: Scenario = {
  name: 'several-servers',
  async run(context): Promise<Fault[]> {
    const mailer = await openFaultyMailer();
    try {
      const env = { SMTP_URL: mailer.url, MAIL_FROM: 'Customer Database <no-reply@company.example>' };
      const cluster = await openCluster(context.folder, 'several-servers', { env });
      const faults = await runFaults(cluster, mailer, context);
      await cluster.close();
      return faults;
    } finally {
      await mailer.close();
    }
  },
};

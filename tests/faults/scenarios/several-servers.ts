import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@customer-database/testkit/client';
import { passwordIn } from '@customer-database/testkit/mail-server';
import { until } from '@customer-database/testkit/until';
import { type Cluster, openCluster, serverNames } from '../cluster/installation.ts';
import { type FaultyMailer, openFaultyMailer } from '../harness/faulty-mailer.ts';
import { createFindings, type Fault, plural, type Scenario } from '../harness/findings.ts';
import { signIn } from '../harness/installation.ts';
import { waitingJobs } from '../harness/leftovers.ts';
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

const clientsOf = ({ servers }: Cluster) =>
  Promise.all(servers.map(async ({ url }) => createClient(url, await signIn(url))));

/** Counts the start of the cluster as the first. */
async function startTogether(cluster: Cluster, times: number): Promise<Fault> {
  const findings = createFindings();
  const { installation } = cluster;
  const recoveries: number[] = [];
  for (let time = 1; time <= times; time += 1) {
    if (time > 1) {
      await installation.server.kill();
      await emptyDatabase(cluster);
      recoveries.push(await installation.server.start());
    }
    const migrated = await migrationsIn(cluster);
    findings.expect(migrated === time, `${migrated} servers ran migrations at ${time} starts`);
    for (const client of await clientsOf(cluster)) {
      const { status } = await client.get('/api/customers');
      findings.expect(status === 200, `customers were answered ${status} after a start together`);
      const { body } = await client.get('/api/users');
      findings.expect(body.total === 1, `there are ${body.total} users after the first start`);
    }
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

/** Created at one server, mailed by the one that takes the job, used at the other. */
async function invitations(cluster: Cluster, mailer: FaultyMailer, times: number): Promise<Fault> {
  const findings = createFindings();
  const { servers, installation } = cluster;
  const clients = await clientsOf(cluster);
  const emails = Array.from({ length: times }, (_, number) => `new-colleague${number}@example.com`);
  await Promise.all(
    emails.map(async (email, number) => {
      const answer = await clients[number % 2]?.post('/api/auth/invite', { email });
      findings.expect(answer?.status === 201, `an invitation was answered ${answer?.status}`);
    }),
  );
  await until('all jobs are done', async () => (await waitingJobs(installation)).length === 0, 60_000);
  for (const [number, email] of emails.entries()) {
    const [mail, ...more] = mailer.mailsTo(email);
    findings.expect(mail !== undefined && more.length === 0, `${email} got ${more.length} mails too many`);
    if (!mail) continue;
    const other = createClient(servers[number % 2 === 0 ? 1 : 0].url);
    const { status } = await other.post('/api/auth/login', { email, password: passwordIn(mail) });
    findings.expect(status === 200, `an invitation of one was answered ${status} by the other`);
  }
  return {
    what: 'two servers: invitations made at one and used at the other',
    times,
    checked: plural(times, 'invitation'),
    recoveries: [],
    seen: 'each was mailed once, and its password worked at the other',
    findings,
  };
}

/** Two servers on one database and one store. */
export const severalServers: Scenario = {
  name: 'several-servers',
  async run({ folder, times, progress }): Promise<Fault[]> {
    const mailer = await openFaultyMailer();
    try {
      const env = { SMTP_URL: mailer.url, MAIL_FROM: 'Customer Database <no-reply@company.example>' };
      const cluster = await openCluster(folder, 'several-servers', { env });
      const { installation, proxy } = cluster;
      const faults = [await startTogether(cluster, times(3, 2))];
      for (const name of serverNames) await proxy.untilUp(`ready/${name}`);
      // The sessions went with the old database.
      installation.admin = createClient(installation.server.url, await signIn(installation.server.url));
      faults.push(await invitations(cluster, mailer, times(20, 4)));
      for (const { what, seen } of faults) progress(`${what}: ${seen}`);
      await cluster.close();
      return faults;
    } finally {
      await mailer.close();
    }
  },
};

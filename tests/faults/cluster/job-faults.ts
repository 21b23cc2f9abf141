import { createClient } from '@customer-database/testkit/client';
import { formOf, uploadForm } from '@customer-database/testkit/documents';
import { makeCustomer } from '@customer-database/testkit/factories';
import { passwordIn } from '@customer-database/testkit/mail-server';
import { parseMetrics } from '@customer-database/testkit/metrics';
import { pdfOf } from '../../bench/samples.ts';
import type { FaultyMailer } from '../harness/faulty-mailer.ts';
import { createFindings, type Fault, plural } from '../harness/findings.ts';
import { adminAccount } from '../harness/installation.ts';
import { waitingJobs } from '../harness/leftovers.ts';
import { withDatabase } from '../harness/postgres.ts';
import type { Server } from '../harness/server.ts';
import { until } from '../harness/until.ts';
import type { Cluster } from './installation.ts';
import { tokenAt, trySignIn } from './people.ts';

const clientAt = async (server: Server) =>
  createClient(server.url, await tokenAt(server, adminAccount.email));

/** How often servers ran a job, by their metrics. */
async function runsOf(servers: Server[], job: string): Promise<number[]> {
  return Promise.all(
    servers.map(async ({ url }) => {
      const { body } = await createClient(url).get('/metrics');
      const labels = { job, outcome: 'done' };
      return parseMetrics(body).get('job_duration_seconds_count', labels) ?? 0;
    }),
  );
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

async function untilJobsAreDone({ installation }: Cluster): Promise<void> {
  const areDone = async () => (await waitingJobs(installation)).length === 0;
  await until('all jobs are done', areDone, 60_000);
}

/** Created at one server, mailed by whichever takes the job, used at the other. */
export async function invitations(cluster: Cluster, mailer: FaultyMailer, times: number): Promise<Fault> {
  const findings = createFindings();
  const { servers } = cluster;
  const [atOne, atTwo] = await Promise.all(servers.map(clientAt));
  const emails = Array.from({ length: times }, (_, number) => `new-colleague${number}@example.com`);
  const before = await runsOf(servers, 'send-invitation');
  await Promise.all(
    emails.map(async (email, number) => {
      const answer = await (number % 2 === 0 ? atOne : atTwo)?.post('/api/auth/invite', { email });
      findings.expect(answer?.status === 201, `an invitation was answered ${answer?.status}`);
    }),
  );
  await untilJobsAreDone(cluster);
  const runs = (await runsOf(servers, 'send-invitation')).map((count, at) => count - (before[at] ?? 0));
  findings.expect(sum(runs) === times, `the job of ${times} invitations ran ${sum(runs)} times`);
  for (const [number, email] of emails.entries()) {
    const [mail, ...more] = mailer.mailsTo(email);
    findings.expect(mail !== undefined && more.length === 0, `${email} got ${1 + more.length} mails`);
    if (!mail) continue;
    const there = servers[number % 2 === 0 ? 1 : 0];
    const { status, body } = await trySignIn(there, email, { password: passwordIn(mail) });
    const isLetIn = status === 200 && body.require_password_change === true;
    findings.expect(isLetIn, `an invitation of one was answered ${status} by the other`);
  }
  const seen = `each mailed once (${runs.join(' by one, ')} by the other), and its password worked at the other`;
  const what = 'two servers: invitations made at one and used at the other';
  return { what, times, checked: plural(times, 'invitation'), recoveries: [], seen, findings };
}

const uploadsPerServer = 5;

/** Uploads the same name concurrently at both, then deletes all; jobs remove the objects. */
export async function sameNames(cluster: Cluster, times: number): Promise<Fault[]> {
  const findings = createFindings();
  const { servers, installation } = cluster;
  const clients = await Promise.all(servers.map(clientAt));
  const ids: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const customer = await makeCustomer(installation.admin, {});
    const uploads = Array.from({ length: uploadsPerServer }, () => clients).flat();
    const file = { name: 'contract.pdf', type: 'application/pdf', bytes: pdfOf(20_000) };
    const answers = await Promise.all(
      uploads.map((client) => uploadForm(client, formOf({ customer_id: customer.id }, file))),
    );
    const statuses = answers.map(({ status }) => status);
    const isAllGood = statuses.every((status) => status === 201);
    findings.expect(isAllGood, `uploads of the same name were answered ${statuses}`);
    const saved = answers.flatMap(({ body }) => body.document ?? []);
    const names = new Set(saved.map(({ filename }) => filename));
    findings.expect(names.size === uploads.length, `the names of ${uploads.length} are ${[...names]}`);
    ids.push(...saved.map(({ id }) => id));
  }
  return [
    {
      what: 'two servers: the same file name at the same moment at both',
      times,
      checked: plural(ids.length, 'upload'),
      recoveries: [],
      seen: `${uploadsPerServer * 2} at a time: all were kept, under names of their own`,
      findings,
    },
    await deletionsAtBoth(cluster, ids),
  ];
}

async function deletionsAtBoth(cluster: Cluster, ids: number[]): Promise<Fault> {
  const findings = createFindings();
  const { servers, installation } = cluster;
  const clients = await Promise.all(servers.map(clientAt));
  const before = await runsOf(servers, 'delete-object');
  await Promise.all(
    ids.map(async (id, number) => {
      const answer = await clients[number % 2]?.delete(`/api/documents/${id}`);
      findings.expect(answer?.status === 200, `a deletion was answered ${answer?.status}`);
    }),
  );
  await untilJobsAreDone(cluster);
  const runs = (await runsOf(servers, 'delete-object')).map((count, at) => count - (before[at] ?? 0));
  findings.expect(sum(runs) === ids.length, `${sum(runs)} runs for ${ids.length} objects`);
  const left: string[] = [];
  for await (const { key } of installation.storage.list('documents/')) left.push(key);
  findings.expect(left.length === 0, `${left.length} objects are still there`);
  return {
    what: 'two servers: objects of deleted documents',
    times: ids.length,
    checked: plural(ids.length, 'deletion'),
    recoveries: [],
    seen: `each job ran once: ${runs.join(' at one, ')} at the other`,
    findings,
  };
}

/** Lets a job that is due every ten minutes be due every minute, while both servers run. */
export async function jobsOnTime(cluster: Cluster): Promise<Fault> {
  const { servers, installation } = cluster;
  const findings = createFindings();
  const job = 'backup-if-due';
  // One of its usual schedule may have been enqueued a moment ago.
  await untilJobsAreDone(cluster);
  const since = await withDatabase(installation.folder, async (client) => {
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
    return rows[0]?.now;
  });
  const before = await runsOf(servers, job);
  await withDatabase(installation.folder, (client) =>
    client.query(`update pgboss.schedule set cron = '* * * * *' where name = $1`, [job]),
  );
  const runsSince = async () => sum(await runsOf(servers, job)) - sum(before);
  await until('the job has run', async () => (await runsSince()) > 0, 120_000);
  const enqueued = await withDatabase(installation.folder, async (client) => {
    const { rows } = await client.query<{ jobs: number; minutes: number }>(
      `select count(*)::int as jobs, count(distinct date_trunc('minute', created_on))::int as minutes
       from pgboss.job where name = $1 and created_on > $2`,
      [job, since],
    );
    return rows[0] ?? { jobs: 0, minutes: 0 };
  });
  findings.expect(enqueued.jobs === enqueued.minutes, `it was enqueued ${enqueued.jobs} times`);
  await until('each has run', async () => (await runsSince()) >= enqueued.jobs, 60_000);
  const runs = await runsSince();
  findings.expect(runs === enqueued.jobs, `it was enqueued ${enqueued.jobs} times and ran ${runs} times`);
  const what = 'two servers: jobs that are due at a time of day';
  const seen = 'one of both enqueued it, and it ran once';
  return { what, times: 1, checked: plural(1, 'job'), recoveries: [], seen, findings };
}

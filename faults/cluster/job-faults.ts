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

const tenMinutesMs = 600_000;
// Enough to start two servers unless the machine is very busy.
const initialLeadMs = 15_000;

/** Two servers whose clocks are `leadMs` before the full ten minutes when jobs are due; retries with more if late. */
async function startBeforeDue(cluster: Cluster, leadMs: number): Promise<Server[]> {
  await withDatabase(cluster.installation.folder, (client) =>
    client.query('delete from graphile_worker._private_known_crontabs'),
  );
  const dueAt = Date.now() + leadMs;
  const clock = new URL(`past-clock.ts?behind=${dueAt % tenMinutesMs}`, import.meta.url).href;
  const env = { NODE_OPTIONS: `--import=${clock}` };
  const servers = [await cluster.addServer('early-one', env), await cluster.addServer('early-two', env)];
  await Promise.all(servers.map((server) => server.start()));
  if (Date.now() < dueAt) return servers;
  await Promise.all(servers.map((server) => server.terminate()));
  return startBeforeDue(cluster, leadMs * 4);
}

/** Runs both servers across the full ten minutes when jobs are due. */
export async function jobsOnTime(cluster: Cluster): Promise<Fault> {
  const findings = createFindings();
  await cluster.installation.server.terminate();
  const servers = await startBeforeDue(cluster, initialLeadMs);
  const due = ['backup-if-due'];
  const hasRun = async () => {
    const runs = await Promise.all(due.map((job) => runsOf(servers, job)));
    return runs.every((each) => sum(each) > 0);
  };
  await until('jobs on time have run', hasRun, 120_000);
  // Had both enqueued it, the second run would come now.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  for (const job of due) {
    const runs = await runsOf(servers, job);
    findings.expect(sum(runs) === 1, `${job} was due once and ran ${runs.join(' and ')} times`);
  }
  await Promise.all(servers.map((server) => server.terminate()));
  const what = 'two servers: jobs that are due at a time of day';
  const seen = 'one of both asked for each, and it ran once';
  return { what, times: 1, checked: plural(due.length, 'job'), recoveries: [], seen, findings };
}

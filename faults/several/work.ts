import { createClient } from '@customer-database/testkit/client';
import { formOf, uploadForm } from '@customer-database/testkit/documents';
import { makeCustomer } from '@customer-database/testkit/factories';
import { passwordIn } from '@customer-database/testkit/mail-server';
import { parseMetrics } from '@customer-database/testkit/metrics';
import { pdfOf } from '../../bench/samples.ts';
import { createFindings, type Fault, plural } from '../harness/findings.ts';
import { adminAccount } from '../harness/installation.ts';
import { waitingJobs } from '../harness/leftovers.ts';
import type { PostOffice } from '../harness/post-office.ts';
import { withDatabase } from '../harness/postgres.ts';
import type { Server } from '../harness/server.ts';
import { until } from '../harness/waiting.ts';
import type { Several } from './installation.ts';
import { tokenAt, trySignIn } from './people.ts';

const clientAt = async (server: Server) =>
  createClient(server.url, await tokenAt(server, adminAccount.email));

/** How often servers ran a job, by their own figures. */
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

async function untilJobsAreDone({ installation }: Several): Promise<void> {
  const areDone = async () => (await waitingJobs(installation)).length === 0;
  await until('all jobs are done', areDone, 60_000);
}

/** Made at one, mailed by whichever server takes the job, used at the other. */
export async function invitations(several: Several, post: PostOffice, times: number): Promise<Fault> {
  const findings = createFindings();
  const { servers } = several;
  const [atOne, atTwo] = await Promise.all(servers.map(clientAt));
  const emails = Array.from({ length: times }, (_, number) => `new-colleague${number}@example.com`);
  const before = await runsOf(servers, 'send-invitation');
  await Promise.all(
    emails.map(async (email, number) => {
      const answer = await (number % 2 === 0 ? atOne : atTwo)?.post('/api/auth/invite', { email });
      findings.expect(answer?.status === 201, `an invitation was answered ${answer?.status}`);
    }),
  );
  await untilJobsAreDone(several);
  const runs = (await runsOf(servers, 'send-invitation')).map((count, at) => count - (before[at] ?? 0));
  findings.expect(sum(runs) === times, `the job of ${times} invitations ran ${sum(runs)} times`);
  for (const [number, email] of emails.entries()) {
    const [mail, ...more] = post.mailsTo(email);
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

const together = 5;

/** The same name at the same moment at both; then all of them are deleted, and their objects by jobs. */
export async function sameNames(several: Several, times: number): Promise<Fault[]> {
  const findings = createFindings();
  const { servers, installation } = several;
  const clients = await Promise.all(servers.map(clientAt));
  const ids: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const customer = await makeCustomer(installation.admin, {});
    const uploads = Array.from({ length: together }, () => clients).flat();
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
      seen: `${together * 2} at a time: all were kept, under names of their own`,
      findings,
    },
    await deletionsAtBoth(several, ids),
  ];
}

async function deletionsAtBoth(several: Several, ids: number[]): Promise<Fault> {
  const findings = createFindings();
  const { servers, installation } = several;
  const clients = await Promise.all(servers.map(clientAt));
  const before = await runsOf(servers, 'delete-object');
  await Promise.all(
    ids.map(async (id, number) => {
      const answer = await clients[number % 2]?.delete(`/api/documents/${id}`);
      findings.expect(answer?.status === 200, `a deletion was answered ${answer?.status}`);
    }),
  );
  await untilJobsAreDone(several);
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

const tenMinutes = 600_000;
// Enough to start two servers, but on a machine that is very busy.
const untilDueMs = 15_000;

/** Two whose clocks stand so long before the full ten minutes at which jobs are due; or longer, if that was too late. */
async function startBeforeDue(several: Several, leadMs: number): Promise<Server[]> {
  await withDatabase(several.installation.folder, (client) =>
    client.query('delete from graphile_worker._private_known_crontabs'),
  );
  const dueAt = Date.now() + leadMs;
  const clock = new URL(`past-clock.ts?behind=${dueAt % tenMinutes}`, import.meta.url).href;
  const env = { NODE_OPTIONS: `--import=${clock}` };
  const servers = [await several.another('early-one', env), await several.another('early-two', env)];
  await Promise.all(servers.map((server) => server.start()));
  if (Date.now() < dueAt) return servers;
  await Promise.all(servers.map((server) => server.terminate()));
  return startBeforeDue(several, leadMs * 4);
}

/** Both live shortly before the full ten minutes at which jobs are due, and then a little longer. */
export async function jobsOnTime(several: Several): Promise<Fault> {
  const findings = createFindings();
  await several.installation.server.terminate();
  const servers = await startBeforeDue(several, untilDueMs);
  const due = ['backup-if-due'];
  const hasRun = async () => {
    const runs = await Promise.all(due.map((job) => runsOf(servers, job)));
    return runs.every((each) => sum(each) > 0);
  };
  await until('jobs on time have run', hasRun, 120_000);
  // Had both asked for it, the second would come now.
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

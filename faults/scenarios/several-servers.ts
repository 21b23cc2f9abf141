import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@customer-database/testkit/client';
import {
  createFindings,
  type Fault,
  plural,
  type Scenario,
  type ScenarioContext,
} from '../harness/findings.ts';
import { signIn } from '../harness/installation.ts';
import { openPostOffice, type PostOffice } from '../harness/post-office.ts';
import { withDatabase } from '../harness/postgres.ts';
import { openSeveral, type Several, serverNames } from '../several/installation.ts';
import { codesUsedTwice, failedSignIns, signOutAtOne } from '../several/sessions.ts';
import { invitations, jobsOnTime, sameNames } from '../several/work.ts';

async function emptyDatabase({ installation }: Several): Promise<void> {
  await withDatabase(installation.folder, (client) =>
    client.query('drop schema graphile_worker cascade; drop schema public cascade; create schema public'),
  );
}

/** How often a server of these brought the database up to date, by their logs. */
async function migrationsIn({ installation }: Several): Promise<number> {
  const logs = serverNames.map((name) => readFile(join(installation.folder, name, 'server.log'), 'utf8'));
  return (await Promise.all(logs)).join('').split('database brought up to date').length - 1;
}

/** The first start was one of them. */
async function startTogether(several: Several, times: number): Promise<Fault> {
  const findings = createFindings();
  const { servers, installation } = several;
  const recoveries: number[] = [];
  for (let time = 1; time <= times; time += 1) {
    if (time > 1) {
      await installation.server.kill();
      await emptyDatabase(several);
      recoveries.push(await installation.server.start());
    }
    const migrated = await migrationsIn(several);
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

async function share(several: Several, post: PostOffice, context: ScenarioContext): Promise<Fault[]> {
  const { times, progress } = context;
  const { installation, proxy } = several;
  const faults: Fault[] = [];
  const note = (...more: Fault[]) => {
    faults.push(...more);
    for (const { what, seen } of more) progress(`${what}: ${seen}`);
  };
  note(await startTogether(several, times(3, 2)));
  for (const name of serverNames) await proxy.untilUp(`ready/${name}`);
  // The database is another one now.
  installation.admin = createClient(installation.server.url, await signIn(installation.server.url));
  note(await signOutAtOne(several, times(30, 6)));
  note(await failedSignIns(several, times(5, 1)));
  note(await codesUsedTwice(several, times(5, 1)));
  note(await invitations(several, post, times(20, 4)));
  note(...(await sameNames(several, times(10, 1))));
  note(await jobsOnTime(several));
  return faults;
}

/** Two servers on one database and one store: what one knows, the other one knows. */
export const severalServers: Scenario = {
  name: 'several-servers',
  async run(context): Promise<Fault[]> {
    const post = await openPostOffice();
    try {
      const env = { SMTP_URL: post.url, MAIL_FROM: 'Customer Database <no-reply@company.example>' };
      const several = await openSeveral(context.folder, 'several-servers', { env });
      const faults = await share(several, post, context);
      await several.close();
      return faults;
    } finally {
      await post.close();
    }
  },
};

import { createClient } from '@customer-database/testkit/client';
import { pendingJobs } from '@customer-database/testkit/jobs';
import {
  type MailServer,
  type MailTrouble,
  openMailServer,
  passwordIn,
  type ReceivedMail,
} from '@customer-database/testkit/mail-server';
import { freePort } from '@customer-database/testkit/ports';
import { secondsSince, until } from '@customer-database/testkit/until';
import { createFindings, type Fault, type Findings, plural, type Scenario } from '../harness/findings.ts';
import { type Installation, openInstallation } from '../harness/installation.ts';
import { retryJobsNow, takeOverJobs, waitingJobs } from '../harness/leftovers.ts';
import { withDatabase } from '../harness/postgres.ts';

// Invitations are queued: no request waits for the mail server.
const maxInviteSeconds = 5;

/** A mail server that can also be down; mails accepted before an outage stay listed. */
type FaultyMailer = {
  url: string;
  setTrouble(trouble: MailTrouble | 'down' | undefined): Promise<void>;
  calls(): number;
  mailsTo(email: string): ReceivedMail[];
  close(): Promise<void>;
};

async function openFaultyMailer(): Promise<FaultyMailer> {
  const port = await freePort();
  const servers: MailServer[] = [await openMailServer(port)];
  let isDown = false;
  const current = () => servers.at(-1);
  return {
    url: `smtp://127.0.0.1:${port}`,
    async setTrouble(trouble) {
      if (trouble === 'down') await current()?.stop();
      else {
        if (isDown) servers.push(await openMailServer(port));
        current()?.setTrouble(trouble);
      }
      isDown = trouble === 'down';
    },
    calls: () => servers.reduce((sum, server) => sum + server.calls(), 0),
    mailsTo: (email) =>
      servers.flatMap(({ accepted }) => accepted).filter(({ recipients }) => recipients.includes(email)),
    close: async () => current()?.stop(),
  };
}

type Setup = {
  installation: Installation;
  mailer: FaultyMailer;
  isShort: boolean;
  progress(text: string): void;
};

/** Resolves when the outage has lasted long enough. */
type DuringOutage = (setup: Setup, callsBefore: number) => Promise<void>;

type Trouble = {
  what: string;
  trouble: MailTrouble | 'down';
  duringOutage: DuringOutage;
  /** May arrive twice: the mail server accepted it without confirming. */
  mayRepeat?: boolean;
  /** Takes a minute or so. */
  isSlow?: boolean;
};

/** Waits until one attempt failed and a retry is due. */
async function untilOneFailed({ installation }: Setup): Promise<void> {
  const hasFailed = () =>
    withDatabase(installation.folder, async (client) => {
      const jobs = await pendingJobs(client);
      return jobs.some(({ lastError, isRunning }) => lastError !== null && !isRunning);
    });
  await until('an attempt to send failed', hasFailed, 60_000);
}

async function untilSent({ installation }: Setup): Promise<void> {
  await until('nothing is left to send', async () => (await waitingJobs(installation)).length === 0, 120_000);
}

/** Kills the server in the middle of sending, before the mail server accepted the mail. */
async function killWhileSending({ installation, mailer, isShort }: Setup, callsBefore: number) {
  await until('the mail server is connected to', async () => mailer.calls() > callsBefore, 30_000);
  await installation.server.kill();
  await installation.server.start();
  // The short form cannot wait until the heartbeat is too old.
  const isTakenOver = async () => {
    await takeOverJobs(installation);
    return (await waitingJobs(installation)).every((job) => !job.includes('running'));
  };
  if (isShort) await until('the job is taken over', isTakenOver, 60_000);
}

const troubles: Trouble[] = [
  { what: 'the mail server is down', trouble: 'down', duringOutage: untilOneFailed },
  {
    what: 'the mail server takes two seconds for each step',
    trouble: { waitsMs: 2_000 },
    duringOutage: untilSent,
  },
  {
    what: 'the mail server takes a mail and dies before it says so',
    trouble: 'dies before it confirms',
    duringOutage: untilOneFailed,
    mayRepeat: true,
  },
  {
    what: 'kill -9 of the server while a mail is on its way',
    trouble: { waitsMs: 3_000 },
    duringOutage: killWhileSending,
    isSlow: true,
  },
];

let invited = 0;

async function invite({ admin }: Installation, findings: Findings): Promise<string> {
  invited += 1;
  const email = `invited${invited}@example.com`;
  const began = performance.now();
  const { status, body } = await admin.post('/api/auth/invite', { email });
  findings.expect(status === 201 && body.delivery === 'mail', `an invitation was answered ${status}`);
  findings.expect(secondsSince(began) < maxInviteSeconds, 'an invitation waited for the mail server');
  return email;
}

/** The invited person can sign in with it. */
async function expectUsable({ server }: Installation, email: string, mail: ReceivedMail, findings: Findings) {
  const input = { email, password: passwordIn(mail) };
  const { status, body } = await createClient(server.url).post('/api/auth/login', input);
  const isLetIn = status === 200 && body.require_password_change === true;
  if (!isLetIn) findings.lost.push(`the invitation of ${email}: its password is answered ${status}`);
}

async function breakMail(setup: Setup, { what, trouble, duringOutage, mayRepeat }: Trouble, times: number) {
  const { installation, mailer, progress } = setup;
  const findings = createFindings();
  const recoveries: number[] = [];
  let repeated = 0;
  for (let time = 1; time <= times; time += 1) {
    await mailer.setTrouble(trouble);
    const callsBefore = mailer.calls();
    const email = await invite(installation, findings);
    await duringOutage(setup, callsBefore);
    await mailer.setTrouble(undefined);
    await retryJobsNow(installation);
    const began = performance.now();
    await untilSent(setup);
    recoveries.push(secondsSince(began));

    const mails = mailer.mailsTo(email);
    const ids = new Set(mails.map((mail) => mail.email.messageId));
    findings.expect(ids.size <= 1, `${email} got ${ids.size} different mails`);
    findings.expect(mails.length <= (mayRepeat ? 2 : 1), `${email} got ${mails.length} mails`);
    if (mails.length > 1) repeated += 1;
    const [mail] = mails;
    if (mail) await expectUsable(installation, email, mail, findings);
    else findings.lost.push(`the invitation of ${email}`);
    progress(`${what}, ${time} of ${times}`);
  }
  return {
    what,
    times,
    checked: plural(times, 'invitation'),
    recoveries,
    seen:
      repeated > 0
        ? `${repeated} came twice, under one Message-ID`
        : 'each came once, and its password works',
    findings,
  };
}

/** Invitations while the mail server fails; `server/test/accounts/mail.test.ts` has its refusals. */
export const mailBroken: Scenario = {
  name: 'mail',
  async run({ times, isShort, folder, progress }): Promise<Fault[]> {
    const mailer = await openFaultyMailer();
    const env = { SMTP_URL: mailer.url, MAIL_FROM: 'Customer Database <no-reply@company.example>' };
    const installation = await openInstallation(folder, 'mail', { env });
    const setup = { installation, mailer, isShort, progress };
    const faults: Fault[] = [];
    for (const trouble of troubles) {
      faults.push(await breakMail(setup, trouble, times(trouble.isSlow ? 1 : 3, 1)));
    }
    await installation.close();
    await mailer.close();
    return faults;
  },
};
